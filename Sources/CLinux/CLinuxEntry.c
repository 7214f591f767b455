#include "CLinuxEntry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

// The numbers are the same on every architecture (Linux 6.13); headers of Debian 12 do not have them yet.
enum { number_setxattrat = 463, number_getxattrat = 464, number_removexattrat = 466 };

struct xattr_arguments {
  uint64_t value __attribute__((aligned(8)));
  uint32_t size;
  uint32_t flags;
};

// Dates after 2262 and before 1677 are the last and the first that fit; the fraction still tells two of them apart.
static int64_t nanoseconds(struct statx_timestamp time) {
  const int64_t last = INT64_MAX / 1000000000 - 1, first = INT64_MIN / 1000000000;
  int64_t seconds = time.tv_sec > last ? last : time.tv_sec < first ? first : time.tv_sec;
  return seconds * 1000000000 + time.tv_nsec;
}

static void take_status(const struct statx *status, struct clinux_status *result) {
  result->device = makedev(status->stx_dev_major, status->stx_dev_minor);
  result->inode = status->stx_ino;
  result->size = (int64_t)status->stx_size;
  result->modified = nanoseconds(status->stx_mtime);
  result->changed = nanoseconds(status->stx_ctime);
  result->born = (status->stx_mask & STATX_BTIME) ? nanoseconds(status->stx_btime) : 0;
  result->attributes = status->stx_attributes;
  result->mode = status->stx_mode;
  result->link_count = status->stx_nlink;
  result->owner = status->stx_uid;
  result->group = status->stx_gid;
}

int clinux_statx(int directory, const char *path, int flags, struct clinux_status *result) {
  struct statx status;
  int code = statx(directory, path, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_BTIME, &status);
  if (code != 0) return code;
  take_status(&status, result);
  return 0;
}

ssize_t clinux_getxattrat(int directory, const char *path, const char *name, void *value, size_t size) {
  struct xattr_arguments arguments = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
  return syscall(number_getxattrat, directory, path, AT_SYMLINK_NOFOLLOW, name, &arguments, sizeof arguments);
}

int clinux_removexattrat(int directory, const char *path, const char *name) {
  return (int)syscall(number_removexattrat, directory, path, AT_SYMLINK_NOFOLLOW, name);
}

ssize_t clinux_lgetxattr(const char *path, const char *name, void *value, size_t size) {
  return lgetxattr(path, name, value, size);
}

int clinux_lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return lsetxattr(path, name, value, size, flags);
}

int clinux_lremovexattr(const char *path, const char *name) { return lremovexattr(path, name); }

ssize_t clinux_listxattr(const char *path, char *list, size_t size) { return listxattr(path, list, size); }

ssize_t clinux_getxattr(const char *path, const char *name, void *value, size_t size) {
  return getxattr(path, name, value, size);
}

int clinux_setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return setxattr(path, name, value, size, flags);
}

ssize_t clinux_flistxattr(int file, char *list, size_t size) { return flistxattr(file, list, size); }

int clinux_removexattr(const char *path, const char *name) { return removexattr(path, name); }

ssize_t clinux_fgetxattr(int file, const char *name, void *value, size_t size) {
  return fgetxattr(file, name, value, size);
}

int clinux_fsetxattr(int file, const char *name, const void *value, size_t size, int flags) {
  return fsetxattr(file, name, value, size, flags);
}

/// A system call with no function around it, see `clinux_probe`: its result, or an errno, negated. Where this is not
/// written down for the processor it goes through the C library.
static inline __attribute__((always_inline)) long call(
    long number, long first, long second, long third, long fourth, long fifth, long sixth) {
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

/// The path of a name in a directory, in /proc, for kernels without the calls for attributes that take both.
struct name_path {
  char bytes[PATH_MAX];
  size_t prefix_length;
};

static void begin_path(struct name_path *path, int directory) {
  path->prefix_length = (size_t)snprintf(path->bytes, sizeof path->bytes, "/proc/self/fd/%d/", directory);
}

static int append_name(struct name_path *path, const struct clinux_probe *probe) {
  if (path->prefix_length + probe->name_count >= sizeof path->bytes) return -ENAMETOOLONG;
  memcpy(path->bytes + path->prefix_length, probe->name, probe->name_count + 1);
  return 0;
}

static inline int32_t probe_status(int directory, struct clinux_probe *probe, int flags) {
  struct statx status;
  unsigned wanted = STATX_BASIC_STATS | STATX_BTIME;
  long code;
  do {
    code = call(SYS_statx, directory, (long)probe->name, flags | AT_NO_AUTOMOUNT, wanted, (long)&status, 0);
  } while (code == -EINTR);
  if (code == 0) take_status(&status, &probe->status);
  return (int32_t)-code;
}

/// getxattrat(2), or setxattrat(2), which take the same arguments.
static inline int32_t call_for_value(
    long number, int directory, const struct clinux_probe *probe, const char *attribute,
    struct xattr_arguments arguments) {
  long count;
  do {
    count = call(
        number, directory, (long)probe->name, AT_SYMLINK_NOFOLLOW, (long)attribute, (long)&arguments, sizeof arguments);
  } while (count == -EINTR);
  return (int32_t)count;
}

static int32_t read_by_path(struct name_path *path, struct clinux_probe *probe, const char *attribute) {
  int code = append_name(path, probe);
  if (code != 0) return code;
  ssize_t count;
  do {
    count = lgetxattr(path->bytes, attribute, probe->value, sizeof probe->value);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (int32_t)count;
}

static int32_t write_by_path(struct name_path *path, struct clinux_probe *probe, const char *attribute) {
  int code = append_name(path, probe);
  if (code != 0) return code;
  do {
    code = lsetxattr(path->bytes, attribute, probe->value, (size_t)probe->value_count, XATTR_CREATE);
  } while (code != 0 && errno == EINTR);
  return code == 0 ? 0 : -errno;
}

static int has_attributes(const struct clinux_probe *probe) {
  return probe->status_error == 0 && (S_ISREG(probe->status.mode) || S_ISDIR(probe->status.mode));
}

/// Whether whoever may write a file may read it: a tag must not be written where it cannot be read.
static int is_readable_by_writers(uint32_t mode) { return ((mode & 0222) << 1 & ~mode) == 0; }

static int is_presumed(const struct clinux_presumption *presumption, const struct clinux_status *status) {
  return presumption->misses >= clinux_misses_to_presume && S_ISREG(status->mode) &&
         status->device == presumption->device && status->changed < presumption->changed_before &&
         is_readable_by_writers(status->mode);
}

static void note_reading(struct clinux_presumption *presumption, const struct clinux_probe *probe) {
  if (!S_ISREG(probe->status.mode)) return;
  int is_there = probe->value_count >= 0 || probe->value_count == -ERANGE;
  if (is_there || presumption->device != probe->status.device) presumption->misses = 0;
  presumption->device = probe->status.device;
  if (probe->value_count == -ENODATA && presumption->misses < clinux_misses_to_presume) presumption->misses++;
}

void clinux_probe(
    int directory, struct clinux_probe *probes, size_t count, int flags, const char *attribute, int by_path,
    struct clinux_presumption *presumption) {
  struct name_path path;
  if (by_path) begin_path(&path, directory);
  for (struct clinux_probe *probe = probes; probe < probes + count; probe++) {
    struct xattr_arguments arguments = {(uint64_t)(uintptr_t)probe->value, sizeof probe->value, 0};
    probe->value_count = -ENODATA;
    probe->is_to_be_written = 0;
    probe->is_known = 0;
    probe->status_error = probe_status(directory, probe, flags);
    probe->is_presumed = probe->status_error == 0 && is_presumed(presumption, &probe->status);
    if (probe->is_presumed || !has_attributes(probe)) continue;
    probe->value_count = by_path ? read_by_path(&path, probe, attribute)
                                 : call_for_value(number_getxattrat, directory, probe, attribute, arguments);
    note_reading(presumption, probe);
  }
}

void clinux_probe_statuses(int directory, struct clinux_probe *probes, size_t count, int flags) {
  for (struct clinux_probe *probe = probes; probe < probes + count; probe++) {
    probe->value_count = -ENODATA;
    probe->is_to_be_written = 0;
    probe->is_presumed = 0;
    probe->is_known = 0;
    probe->status_error = probe_status(directory, probe, flags);
  }
}

void clinux_probe_values(
    int directory, struct clinux_probe *probes, size_t count, const char *attribute, int by_path,
    struct clinux_presumption *presumption) {
  struct name_path path;
  if (by_path) begin_path(&path, directory);
  for (struct clinux_probe *probe = probes; probe < probes + count; probe++) {
    if (probe->is_known || !has_attributes(probe)) continue;
    struct xattr_arguments arguments = {(uint64_t)(uintptr_t)probe->value, sizeof probe->value, 0};
    probe->value_count = by_path ? read_by_path(&path, probe, attribute)
                                 : call_for_value(number_getxattrat, directory, probe, attribute, arguments);
    note_reading(presumption, probe);
  }
}

void clinux_write_values(
    int directory, struct clinux_probe *probes, size_t count, const char *attribute, int by_path,
    struct clinux_presumption *presumption) {
  struct name_path path;
  if (by_path) begin_path(&path, directory);
  for (struct clinux_probe *probe = probes; probe < probes + count; probe++) {
    if (!probe->is_to_be_written) continue;
    struct xattr_arguments arguments = {(uint64_t)(uintptr_t)probe->value, (uint32_t)probe->value_count, XATTR_CREATE};
    int32_t code = by_path ? write_by_path(&path, probe, attribute)
                           : call_for_value(number_setxattrat, directory, probe, attribute, arguments);
    probe->write_error = -code;
    if (code != 0) presumption->misses = 0;
  }
}
