#include "CFloorWalk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// The C library has no wrappers for these (Linux 6.13).
enum { number_setxattrat = 463, number_getxattrat = 464, number_removexattrat = 466 };

struct xattr_arguments {
  _Alignas(8) uint64_t value;
  uint32_t size;
  uint32_t flags;
};

struct linux_dirent {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

// Directories that wait to be listed: their paths.
struct walk {
  enum cfloor_task task;
  int is_inlined;
  const char *tag;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  char **paths;
  size_t count, capacity;
  int working;
  struct cfloor_totals totals;
};

static void push(struct walk *walk, char *path) {
  pthread_mutex_lock(&walk->lock);
  if (walk->count == walk->capacity) {
    walk->capacity = walk->capacity ? walk->capacity * 2 : 1024;
    walk->paths = realloc(walk->paths, walk->capacity * sizeof *walk->paths);
  }
  walk->paths[walk->count++] = path;
  pthread_cond_signal(&walk->changed);
  pthread_mutex_unlock(&walk->lock);
}

// The next directory; none when nobody can find any more.
static char *pop(struct walk *walk) {
  pthread_mutex_lock(&walk->lock);
  walk->working--;
  while (walk->count == 0 && walk->working > 0) pthread_cond_wait(&walk->changed, &walk->lock);
  char *path = NULL;
  if (walk->count > 0) {
    path = walk->paths[--walk->count];
    walk->working++;
  } else {
    pthread_cond_broadcast(&walk->changed);
  }
  pthread_mutex_unlock(&walk->lock);
  return path;
}

#define INLINED inline __attribute__((always_inline))

// A system call with no function around it; what that is worth depends on the processor. Where this is not written down
// for it, the call goes through the C library.
static INLINED long call(long number, long first, long second, long third, long fourth, long fifth, long sixth) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = fourth;
  register long r8 __asm__("r8") = fifth;
  register long r9 __asm__("r9") = sixth;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#else
  long result = syscall(number, first, second, third, fourth, fifth, sixth);
  return result == -1 ? -errno : result;
#endif
}

static INLINED int look(const struct walk *walk, int directory, const char *name, struct statx *status) {
  unsigned flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, wanted = STATX_BASIC_STATS | STATX_BTIME;
  if (walk->is_inlined) return call(SYS_statx, directory, (long)name, flags, wanted, (long)status, 0) == 0;
  return statx(directory, name, flags, wanted, status) == 0;
}

static INLINED int read_tag(const struct walk *walk, int directory, const char *name) {
  char value[64];
  struct xattr_arguments arguments = {(uint64_t)(uintptr_t)value, sizeof value, 0};
  if (walk->is_inlined) {
    return call(
               number_getxattrat, directory, (long)name, AT_SYMLINK_NOFOLLOW, (long)walk->tag, (long)&arguments,
               sizeof arguments) >= 0;
  }
  return syscall(number_getxattrat, directory, name, AT_SYMLINK_NOFOLLOW, walk->tag, &arguments, sizeof arguments) >= 0;
}

static INLINED int write_tag(const struct walk *walk, int directory, const char *name, uint64_t inode) {
  static const char digits[] = "0123456789abcdef";
  char value[36];
  for (int index = 0; index < 36; index++) {
    value[index] = index == 8 || index == 13 || index == 18 || index == 23 ? '-' : digits[(inode >> (index % 16)) & 15];
  }
  uint32_t flags = walk->task == cfloor_create_tags ? XATTR_CREATE : 0;
  struct xattr_arguments arguments = {(uint64_t)(uintptr_t)value, sizeof value, flags};
  if (walk->is_inlined) {
    return call(
               number_setxattrat, directory, (long)name, AT_SYMLINK_NOFOLLOW, (long)walk->tag, (long)&arguments,
               sizeof arguments) == 0;
  }
  return syscall(number_setxattrat, directory, name, AT_SYMLINK_NOFOLLOW, walk->tag, &arguments, sizeof arguments) == 0;
}

static INLINED int visit(const struct walk *walk, int directory, const char *name, struct cfloor_totals *totals) {
  struct statx status;
  if (!look(walk, directory, name, &status)) return 0;
  int is_directory = S_ISDIR(status.stx_mode);
  if (!is_directory && !S_ISREG(status.stx_mode)) return 0;
  totals->entries++;
  if (walk->task == cfloor_remove_tags) {
    syscall(number_removexattrat, directory, name, AT_SYMLINK_NOFOLLOW, walk->tag);
  } else if (walk->task == cfloor_create_tags) {
    totals->tagged += write_tag(walk, directory, name, status.stx_ino);
  } else if (read_tag(walk, directory, name)) {
    totals->tagged++;
  } else if (walk->task == cfloor_write_tags) {
    totals->tagged += write_tag(walk, directory, name, status.stx_ino);
  }
  return is_directory;
}

static void list(struct walk *walk, const char *path, char *buffer, size_t size, struct cfloor_totals *totals) {
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  long count;
  while ((count = syscall(SYS_getdents64, directory, buffer, size)) > 0) {
    for (long offset = 0; offset < count;) {
      struct linux_dirent *entry = (struct linux_dirent *)(buffer + offset);
      offset += entry->length;
      if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0) continue;
      if (!visit(walk, directory, entry->name, totals)) continue;
      char *below = malloc(strlen(path) + strlen(entry->name) + 2);
      if (below == NULL) continue;
      stpcpy(stpcpy(stpcpy(below, path), "/"), entry->name);
      push(walk, below);
    }
  }
  close(directory);
}

static void *work(void *context) {
  struct walk *walk = context;
  size_t size = 65536;
  char *buffer = malloc(size);
  struct cfloor_totals totals = {0, 0};
  for (char *path; buffer != NULL && (path = pop(walk)) != NULL; free(path)) list(walk, path, buffer, size, &totals);
  free(buffer);
  pthread_mutex_lock(&walk->lock);
  walk->totals.entries += totals.entries;
  walk->totals.tagged += totals.tagged;
  pthread_mutex_unlock(&walk->lock);
  return NULL;
}

struct cfloor_totals cfloor_walk(
    const char *root, const char *tag, enum cfloor_task task, int threads, int is_inlined) {
  struct walk walk = {.task = task, .is_inlined = is_inlined, .tag = tag, .working = threads};
  pthread_mutex_init(&walk.lock, NULL);
  pthread_cond_init(&walk.changed, NULL);
  push(&walk, strdup(root));
  pthread_t started[16];
  int count = 0;
  while (count < threads && count < 16 && pthread_create(&started[count], NULL, work, &walk) == 0) count++;
  pthread_mutex_lock(&walk.lock);
  walk.working -= threads - count;
  pthread_cond_broadcast(&walk.changed);
  pthread_mutex_unlock(&walk.lock);
  for (int index = 0; index < count; index++) pthread_join(started[index], NULL);
  free(walk.paths);
  pthread_cond_destroy(&walk.changed);
  pthread_mutex_destroy(&walk.lock);
  return walk.totals;
}
