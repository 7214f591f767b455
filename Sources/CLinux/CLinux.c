#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const int clinux_O_PATH = O_PATH;
const int clinux_O_TMPFILE = O_TMPFILE;
const int clinux_O_NOATIME = O_NOATIME;
const int clinux_AT_EMPTY_PATH = AT_EMPTY_PATH;
const int clinux_AT_STATX_FORCE_SYNC = AT_STATX_FORCE_SYNC;

int clinux_mount_number(int descriptor, int32_t *number) {
  struct statx status;
  int code = statx(descriptor, "", AT_EMPTY_PATH, STATX_MNT_ID, &status);
  if (code != 0) return code;
  *number = (status.stx_mask & STATX_MNT_ID) ? (int32_t)status.stx_mnt_id : 0;
  return 0;
}

int clinux_unique_mount_number(const char *path, uint64_t *number) {
  const unsigned mount_id_unique = 0x4000; // STATX_MNT_ID_UNIQUE, Linux 6.8
  struct statx status;
  int code = statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, mount_id_unique, &status);
  if (code != 0) return code;
  *number = (status.stx_mask & mount_id_unique) ? status.stx_mnt_id : 0;
  return 0;
}

ssize_t clinux_getdents64(int descriptor, void *buffer, size_t capacity) {
  return syscall(SYS_getdents64, descriptor, buffer, capacity);
}

int clinux_openat(int directory, const char *path, int flags, unsigned mode) {
  return openat(directory, path, flags, mode);
}

int clinux_renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned flags) {
  return renameat2(old_directory, old_path, new_directory, new_path, flags);
}

int clinux_linkat(int old_directory, const char *old_path, int new_directory, const char *new_path, int flags) {
  return linkat(old_directory, old_path, new_directory, new_path, flags);
}

int clinux_take_read_lease(int descriptor) {
  // The default signal of a broken lease is SIGIO, which kills; SIGURG is ignored by default.
  if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
  return fcntl(descriptor, F_SETLEASE, F_RDLCK);
}

int clinux_release_lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_UNLCK); }

int clinux_clone(int destination, int source) { return ioctl(destination, FICLONE, source); }

ssize_t clinux_copy_file_range(int source, int destination, int64_t offset, size_t length) {
  off64_t from = offset, to = offset;
  return copy_file_range(source, &from, destination, &to, length, 0);
}

int64_t clinux_seek_data(int descriptor, int64_t offset) { return lseek64(descriptor, offset, SEEK_DATA); }
int64_t clinux_seek_hole(int descriptor, int64_t offset) { return lseek64(descriptor, offset, SEEK_HOLE); }

int clinux_fstatfs(int descriptor, uint64_t *type, uint64_t *identifier, int *is_read_only) {
  struct statfs status;
  int code = fstatfs(descriptor, &status);
  if (code != 0) return code;
  *type = (uint64_t)status.f_type;
  *is_read_only = (status.f_flags & ST_RDONLY) != 0;
  *identifier = ((uint64_t)(uint32_t)status.f_fsid.__val[0] << 32) | (uint32_t)status.f_fsid.__val[1];
  return 0;
}

int clinux_inotify_init(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int clinux_inotify_add_watch(int descriptor, const char *path, uint32_t mask) {
  return inotify_add_watch(descriptor, path, mask);
}

int clinux_inotify_rm_watch(int descriptor, int watch) { return inotify_rm_watch(descriptor, watch); }

// Of Linux 5.17; AT_HANDLE_FID is of 6.5. Headers may be older than the kernel.
#ifndef FAN_REPORT_TARGET_FID
#define FAN_REPORT_TARGET_FID 0x00001000
#endif
#ifndef AT_HANDLE_FID
#define AT_HANDLE_FID 0x200
#endif

int clinux_fanotify_init(int with_privilege) {
  unsigned flags = FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_DFID_NAME | FAN_REPORT_FID |
                   FAN_REPORT_TARGET_FID;
  // The queue stays limited: else whoever writes to the file system fills the kernel's memory while nobody reads.
  if (with_privilege) flags |= FAN_UNLIMITED_MARKS;
  return fanotify_init(flags, O_RDONLY | O_CLOEXEC | O_LARGEFILE);
}

int clinux_fanotify_mark(int group, unsigned flags, uint64_t mask, int directory, const char *path) {
  return fanotify_mark(group, flags, mask, directory, path);
}

int clinux_file_handle(int descriptor, unsigned char *bytes, unsigned *count, int *type, int *mount) {
  union {
    struct file_handle handle;
    unsigned char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } result;
  result.handle.handle_bytes = *count < MAX_HANDLE_SZ ? *count : MAX_HANDLE_SZ;
  int code = name_to_handle_at(descriptor, "", &result.handle, mount, AT_EMPTY_PATH | AT_HANDLE_FID);
  if (code != 0 && errno == EINVAL) {
    // Before 6.5, or a file system that knows no such handles.
    code = name_to_handle_at(descriptor, "", &result.handle, mount, AT_EMPTY_PATH);
  }
  if (code != 0) return code;
  memcpy(bytes, result.handle.f_handle, result.handle.handle_bytes);
  *count = result.handle.handle_bytes;
  *type = result.handle.handle_type;
  return 0;
}

int clinux_lasting_handle(int descriptor, unsigned char *bytes, unsigned *count, int *type) {
  union {
    struct file_handle handle;
    unsigned char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } result;
  int mount;
  result.handle.handle_bytes = *count < MAX_HANDLE_SZ ? *count : MAX_HANDLE_SZ;
  int code = name_to_handle_at(descriptor, "", &result.handle, &mount, AT_EMPTY_PATH);
  if (code != 0) return code;
  memcpy(bytes, result.handle.f_handle, result.handle.handle_bytes);
  *count = result.handle.handle_bytes;
  *type = result.handle.handle_type;
  return 0;
}

int clinux_open_by_handle(int mount, const unsigned char *bytes, unsigned count, int type) {
  union {
    struct file_handle handle;
    unsigned char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } wanted;
  if (count > MAX_HANDLE_SZ) {
    errno = EINVAL;
    return -1;
  }
  wanted.handle.handle_bytes = count;
  wanted.handle.handle_type = type;
  memcpy(wanted.handle.f_handle, bytes, count);
  return open_by_handle_at(mount, &wanted.handle, O_PATH | O_CLOEXEC);
}

int clinux_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }

int clinux_timerfd_set(int descriptor, int64_t nanoseconds) {
  struct itimerspec time = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  return timerfd_settime(descriptor, 0, &time, NULL);
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int epoll, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = token};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_add_exclusive(int epoll, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.u64 = token};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_add_urgent(int epoll, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLPRI, .data.u64 = token};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_wait(int epoll, int timeout_milliseconds, uint64_t *token) {
  struct epoll_event event;
  int count = epoll_wait(epoll, &event, 1, timeout_milliseconds);
  if (count == 1) *token = event.data.u64;
  return count;
}

int clinux_poll_readable(int descriptor, int64_t timeout_nanoseconds) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  struct timespec timeout = {timeout_nanoseconds / 1000000000, timeout_nanoseconds % 1000000000};
  return ppoll(&entry, 1, timeout_nanoseconds < 0 ? NULL : &timeout, NULL);
}

int clinux_poll_urgent(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLPRI};
  return poll(&entry, 1, 0);
}

static int64_t clock_nanoseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t clinux_monotonic_nanoseconds(void) { return clock_nanoseconds(CLOCK_MONOTONIC); }
int64_t clinux_realtime_nanoseconds(void) { return clock_nanoseconds(CLOCK_REALTIME); }

void clinux_local_time(int64_t seconds, int fields[6]) {
  time_t time = seconds;
  struct tm local = {0};
  // Unlike localtime(3), localtime_r(3) need not notice a change of the time zone.
  tzset();
  localtime_r(&time, &local);
  fields[0] = local.tm_year + 1900;
  fields[1] = local.tm_mon + 1;
  fields[2] = local.tm_mday;
  fields[3] = local.tm_hour;
  fields[4] = local.tm_min;
  fields[5] = local.tm_sec;
}

int64_t clinux_local_seconds(const int fields[6]) {
  struct tm local = {
      .tm_year = fields[0] - 1900,
      .tm_mon = fields[1] - 1,
      .tm_mday = fields[2],
      .tm_hour = fields[3],
      .tm_min = fields[4],
      .tm_sec = fields[5],
      .tm_isdst = -1,
  };
  return mktime(&local);
}

int clinux_descriptor_limits(uint64_t *soft, uint64_t *hard) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  *soft = limit.rlim_cur;
  *hard = limit.rlim_max;
  return 0;
}

int clinux_advise_single_reading(int descriptor) {
  int code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  // Since Linux 6.3, pages that are only read this way are the first to go.
  if (code == 0) code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_NOREUSE);
  if (code == 0) return 0;
  errno = code;
  return -1;
}

int clinux_yield_to_others(void) {
  const int who_process = 1, idle_class = 3 << 13; // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_IDLE
  const struct sched_param parameters = {.sched_priority = 0};
  int code = sched_setscheduler(0, SCHED_IDLE, &parameters);
  if (syscall(SYS_ioprio_set, who_process, 0, idle_class) != 0) return -1;
  return code;
}
