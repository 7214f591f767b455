#include "CTestFUSE.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Served by a forked process of a program with many threads: nothing here may allocate, or take a lock.

enum { node_root = 1, node_a, node_d, node_b, node_new, node_long, node_count, most_waiting = 64, room = 256 * 1024 };

struct node {
  const char *name;
  uint64_t parent;
  int is_directory;
  char attribute_name[64];
  char attribute[64];
  size_t attribute_size;
};

struct server {
  struct ctest_fuse *shared;
  int device;
  struct node nodes[node_count];
  struct timespec changed;
  int had_more;
  int waiting;
  // Requests are short, but for the values of attributes.
  char requests[most_waiting][4096];
};

static struct server server;
static char buffer[room];

struct ctest_fuse *ctest_fuse_make(void) {
  void *memory = mmap(NULL, sizeof(struct ctest_fuse), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void answer(uint64_t unique, int error, const void *data, size_t size) {
  static char reply[room];
  struct fuse_out_header header = {.len = sizeof header + (error ? 0 : size), .error = -error, .unique = unique};
  memcpy(reply, &header, sizeof header);
  if (!error) memcpy(reply + sizeof header, data, size);
  // Whoever has been killed meanwhile wants no answer.
  ssize_t written = write(server.device, reply, header.len);
  (void)written;
}

static int is_there(uint64_t id) {
  if (id == node_long) return server.shared->has_long_name;
  return id >= node_root && id < node_count && (id != node_new || server.shared->has_more);
}

static struct fuse_attr attributes(uint64_t id) {
  int is_directory = server.nodes[id].is_directory;
  return (struct fuse_attr){
      .ino = id,
      .size = is_directory ? 0 : 8,
      .mode = is_directory ? S_IFDIR | 0755 : S_IFREG | 0644,
      .nlink = is_directory ? 2 : 1,
      .mtime = (uint64_t)server.changed.tv_sec,
      .mtimensec = (uint32_t)server.changed.tv_nsec,
      .ctime = (uint64_t)server.changed.tv_sec,
      .ctimensec = (uint32_t)server.changed.tv_nsec,
      .blksize = 4096,
  };
}

static void look_up(const struct fuse_in_header *header, const char *name) {
  for (uint64_t id = node_root + 1; id < node_count; id++) {
    if (!is_there(id) || server.nodes[id].parent != header->nodeid || strcmp(server.nodes[id].name, name)) continue;
    struct fuse_entry_out entry = {.nodeid = id, .attr = attributes(id)};
    return answer(header->unique, 0, &entry, sizeof entry);
  }
  answer(header->unique, ENOENT, NULL, 0);
}

static void read_directory(const struct fuse_in_header *header, const struct fuse_read_in *in) {
  static char entries[4096];
  size_t size = 0;
  uint64_t offset = 0;
  for (uint64_t id = node_root + 1; id < node_count; id++) {
    if (!is_there(id) || server.nodes[id].parent != header->nodeid) continue;
    if (offset++ < in->offset) continue;
    size_t length = strlen(server.nodes[id].name);
    struct fuse_dirent entry = {
        .ino = id, .off = offset, .namelen = length, .type = server.nodes[id].is_directory ? 4 : 8};
    size_t padded = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
    if (size + padded > in->size || size + padded > sizeof entries) break;
    memset(entries + size, 0, padded);
    memcpy(entries + size, &entry, FUSE_NAME_OFFSET);
    memcpy(entries + size + FUSE_NAME_OFFSET, server.nodes[id].name, length);
    size += padded;
  }
  answer(header->unique, 0, entries, size);
}

static void get_attribute(const struct fuse_in_header *header, const char *body) {
  const struct fuse_getxattr_in *in = (const void *)body;
  struct node *node = &server.nodes[header->nodeid];
  if (!node->attribute_size || strcmp(node->attribute_name, body + sizeof *in)) {
    return answer(header->unique, ENODATA, NULL, 0);
  }
  if (!in->size) {
    struct fuse_getxattr_out out = {.size = node->attribute_size};
    return answer(header->unique, 0, &out, sizeof out);
  }
  if (in->size < node->attribute_size) return answer(header->unique, ERANGE, NULL, 0);
  answer(header->unique, 0, node->attribute, node->attribute_size);
}

static void set_attribute(const struct fuse_in_header *header, const char *body) {
  // Without FUSE_SETXATTR_EXT the structure has its first two fields only.
  const struct fuse_setxattr_in *in = (const void *)body;
  const char *name = body + FUSE_COMPAT_SETXATTR_IN_SIZE;
  struct node *node = &server.nodes[header->nodeid];
  if (in->size > sizeof node->attribute || strlen(name) >= sizeof node->attribute_name) {
    return answer(header->unique, ENOSPC, NULL, 0);
  }
  // XATTR_CREATE.
  if ((in->flags & 1) && node->attribute_size) return answer(header->unique, EEXIST, NULL, 0);
  strcpy(node->attribute_name, name);
  memcpy(node->attribute, name + strlen(name) + 1, in->size);
  node->attribute_size = in->size;
  answer(header->unique, 0, NULL, 0);
}

static void serve(const char *request) {
  const struct fuse_in_header *header = (const void *)request;
  const char *body = request + sizeof *header;
  uint64_t unique = header->unique;
  switch (header->opcode) {
  case FUSE_INIT: {
    struct fuse_init_out out = {.major = 7, .minor = 31, .max_write = 4096, .max_readahead = 4096, .time_gran = 1};
    return answer(unique, 0, &out, sizeof out);
  }
  case FUSE_LOOKUP: return look_up(header, body);
  case FUSE_GETATTR: {
    struct fuse_attr_out out = {.attr = attributes(header->nodeid)};
    return answer(unique, 0, &out, sizeof out);
  }
  case FUSE_OPEN:
  case FUSE_OPENDIR: {
    struct fuse_open_out out = {.fh = header->nodeid};
    return answer(unique, 0, &out, sizeof out);
  }
  case FUSE_READ: return answer(unique, 0, "content\n", ((const struct fuse_read_in *)body)->offset ? 0 : 8);
  case FUSE_READDIR: return read_directory(header, (const void *)body);
  case FUSE_STATFS: {
    struct fuse_statfs_out out = {.st = {.bsize = 4096, .namelen = 255, .frsize = 4096}};
    return answer(unique, 0, &out, sizeof out);
  }
  case FUSE_GETXATTR: return get_attribute(header, body);
  case FUSE_SETXATTR: return set_attribute(header, body);
  case FUSE_RELEASE:
  case FUSE_RELEASEDIR:
  case FUSE_FLUSH: return answer(unique, 0, NULL, 0);
  case FUSE_FORGET:
  case FUSE_BATCH_FORGET:
  case FUSE_INTERRUPT: return;
  default: return answer(unique, ENOSYS, NULL, 0);
  }
}

static int hangs(const struct fuse_in_header *header) {
  static const uint32_t operations[] = {
      [ctest_fuse_lookup] = FUSE_LOOKUP,     [ctest_fuse_getattr] = FUSE_GETATTR,
      [ctest_fuse_opendir] = FUSE_OPENDIR,   [ctest_fuse_readdir] = FUSE_READDIR,
      [ctest_fuse_getxattr] = FUSE_GETXATTR, [ctest_fuse_setxattr] = FUSE_SETXATTR,
      [ctest_fuse_statfs] = FUSE_STATFS,
  };
  int hanging = server.shared->hanging;
  switch (header->opcode) {
  case FUSE_INIT:
  case FUSE_FORGET:
  case FUSE_BATCH_FORGET:
  case FUSE_INTERRUPT: return 0;
  }
  if (hanging == ctest_fuse_everything) return 1;
  return hanging > ctest_fuse_nothing && hanging < ctest_fuse_everything && operations[hanging] == header->opcode;
}

static void serve_waiting(void) {
  int count = server.waiting;
  server.waiting = 0;
  server.shared->waiting = 0;
  for (int index = 0; index < count; index++) serve(server.requests[index]);
}

static void run(pid_t parent) {
  while (getppid() == parent) {
    if (server.waiting && !server.shared->hanging) serve_waiting();
    if (server.shared->has_more != server.had_more) {
      server.had_more = server.shared->has_more;
      clock_gettime(CLOCK_REALTIME, &server.changed);
    }
    struct pollfd entry = {.fd = server.device, .events = POLLIN};
    if (poll(&entry, 1, 5) <= 0) continue;
    ssize_t size = read(server.device, buffer, sizeof buffer);
    if (size < 0 && errno == ENODEV) _exit(0);
    if (size < (ssize_t)sizeof(struct fuse_in_header)) continue;
    if (hangs((const void *)buffer) && server.waiting < most_waiting && size <= (ssize_t)sizeof server.requests[0]) {
      memcpy(server.requests[server.waiting++], buffer, (size_t)size);
      server.shared->waiting = server.waiting;
    } else {
      serve(buffer);
    }
  }
}

// The name by which a mount of a test process that has ended is found; see LeftoverMounts.
struct mount_source {
  char text[64];
};

static struct mount_source mount_source(void) {
  struct mount_source source;
  snprintf(source.text, sizeof source.text, ctest_mount_source "%d", getpid());
  return source;
}

int ctest_detach_mount(const char *path) { return umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW); }

pid_t ctest_fuse_mount(struct ctest_fuse *shared, const char *path, unsigned owner, int allows_others) {
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) return -1;
  char options[128];
  snprintf(
      options, sizeof options, "fd=%d,rootmode=40755,user_id=%u,group_id=%u%s", device, owner, owner,
      allows_others ? ",allow_other" : "");
  if (mount(mount_source().text, path, "fuse.test", MS_NOSUID | MS_NODEV, options) != 0) {
    close(device);
    return -1;
  }
  pid_t parent = getpid(), process = fork();
  if (process == 0) {
    // Nothing of the test's may stay open because this runs.
    dup2(device, 0);
    close_range(1, ~0u, 0);
    server = (struct server){.shared = shared, .device = 0};
    clock_gettime(CLOCK_REALTIME, &server.changed);
    server.nodes[node_root] = (struct node){.name = "", .is_directory = 1};
    server.nodes[node_a] = (struct node){.name = "a.txt", .parent = node_root};
    server.nodes[node_d] = (struct node){.name = "d", .parent = node_root, .is_directory = 1};
    server.nodes[node_b] = (struct node){.name = "b.txt", .parent = node_d};
    server.nodes[node_new] = (struct node){.name = "new.txt", .parent = node_root};
    static char long_name[ctest_fuse_long_name + 1];
    memset(long_name, 'n', ctest_fuse_long_name);
    server.nodes[node_long] = (struct node){.name = long_name, .parent = node_d};
    run(parent);
    _exit(0);
  }
  close(device);
  return process;
}

void ctest_fuse_unmount(struct ctest_fuse *shared, pid_t process, const char *path) {
  shared->hanging = ctest_fuse_nothing;
  ctest_detach_mount(path);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

int ctest_autofs_mount(const char *path) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  struct mount_source source = mount_source();
  pid_t process = fork();
  if (process == 0) {
    // Processes of the group that mounts it are the ones that nothing is mounted for: of this one there is soon none.
    char options[128];
    setpgid(0, 0);
    snprintf(options, sizeof options, "fd=%d,pgrp=%d,minproto=5,maxproto=5,direct", ends[1], getpid());
    _exit(mount(source.text, path, "autofs", 0, options) == 0 ? 0 : errno);
  }
  int status = 0;
  waitpid(process, &status, 0);
  close(ends[1]);
  if (status == 0) return ends[0];
  close(ends[0]);
  errno = WEXITSTATUS(status);
  return -1;
}
