#pragma once

// What Swift cannot see of Linux: system calls without a glibc wrapper, structures that need _GNU_SOURCE,
// variadic functions, and constants that are macros with casts. Every function returns -1 and sets errno on failure,
// exactly as the call it is named after.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CLinuxEntry.h"
#include "CLinuxIsolation.h"

static inline void clinux_prefetch(const void *address) { __builtin_prefetch(address); }

/// The number of the mount through which a descriptor was opened, as in /proc/self/mountinfo; 0 where the kernel does
/// not tell.
int clinux_mount_number(int descriptor, int32_t *number);

/// The number of the mount at a path, which no other mount ever has; 0 where the kernel (before 6.8) does not tell.
int clinux_unique_mount_number(const char *path, uint64_t *number);

ssize_t clinux_getdents64(int descriptor, void *buffer, size_t capacity);

int clinux_openat(int directory, const char *path, int flags, unsigned mode);
int clinux_renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned flags);
int clinux_linkat(int old_directory, const char *old_path, int new_directory, const char *new_path, int flags);

/// fcntl(F_SETLEASE) with the type F_RDLCK, made harmless with F_SETSIG; fcntl(F_SETLEASE) with F_UNLCK.
int clinux_take_read_lease(int descriptor);
int clinux_release_lease(int descriptor);

/// ioctl(FICLONE).
int clinux_clone(int destination, int source);
/// copy_file_range(2) from and to the same offset.
ssize_t clinux_copy_file_range(int source, int destination, int64_t offset, size_t length);
/// posix_fadvise(2) for a file that is read once, from its start to its end.
int clinux_advise_single_reading(int descriptor);
/// Gives the calling thread what is left of processors and disks: SCHED_IDLE, and the idle class of ioprio_set(2).
int clinux_yield_to_others(void);
/// lseek(2) with SEEK_DATA and SEEK_HOLE.
int64_t clinux_seek_data(int descriptor, int64_t offset);
int64_t clinux_seek_hole(int descriptor, int64_t offset);

/// statfs(2): f_type and f_fsid as one number each, and whether it is mounted for reading only.
int clinux_fstatfs(int descriptor, uint64_t *type, uint64_t *identifier, int *is_read_only);

int clinux_inotify_init(void);
int clinux_inotify_add_watch(int descriptor, const char *path, uint32_t mask);
int clinux_inotify_rm_watch(int descriptor, int watch);

/// fanotify_init(2) for a group that is told of entries by the handles of their directories, their names, and the
/// handles of the files themselves; with queue and marks without limits, where that is asked for and permitted.
int clinux_fanotify_init(int with_privilege);
/// fanotify_mark(2); without a path, of the open directory itself.
int clinux_fanotify_mark(int group, unsigned flags, uint64_t mask, int directory, const char *path);
/// name_to_handle_at(2) of what is open, as fanotify(7) reports it; `count` is the room for bytes and then their
/// number, `mount` the number of the mount in /proc/self/mountinfo.
int clinux_file_handle(int descriptor, unsigned char *bytes, unsigned *count, int *type, int *mount);

/// name_to_handle_at(2) of what is open, for open_by_handle_at(2): the file system can find the file by it.
int clinux_lasting_handle(int descriptor, unsigned char *bytes, unsigned *count, int *type);
/// open_by_handle_at(2) with O_PATH.
int clinux_open_by_handle(int mount, const unsigned char *bytes, unsigned count, int type);

/// timerfd_create(2), of the monotonic clock, closed on exec.
int clinux_timerfd(void);

/// timerfd_settime(2): it expires once, so long from now; with 0 it does not.
int clinux_timerfd_set(int descriptor, int64_t nanoseconds);

int clinux_eventfd(void);
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint64_t token);
/// The same with EPOLLEXCLUSIVE: of several epolls with the descriptor, the first that is waited for is woken, and no
/// other.
int clinux_epoll_add_exclusive(int epoll, int descriptor, uint64_t token);
/// The same for what is told by EPOLLPRI only, as changes of /proc/self/mountinfo are.
int clinux_epoll_add_urgent(int epoll, int descriptor, uint64_t token);
/// epoll_wait(2) for one event, whose token is stored; 0 after the timeout.
int clinux_epoll_wait(int epoll, int timeout_milliseconds, uint64_t *token);
/// ppoll(2) on one descriptor for reading; a negative timeout waits for ever.
int clinux_poll_readable(int descriptor, int64_t timeout_nanoseconds);
/// poll(2) on one descriptor for urgent events, without waiting.
int clinux_poll_urgent(int descriptor);

/// getrlimit(2) with RLIMIT_NOFILE.
int clinux_descriptor_limits(uint64_t *soft, uint64_t *hard);

int64_t clinux_monotonic_nanoseconds(void);
int64_t clinux_realtime_nanoseconds(void);

/// localtime_r(3): year, month, day, hour, minute and second of a time in the local time zone.
void clinux_local_time(int64_t seconds, int fields[6]);
/// mktime(3) of these fields.
int64_t clinux_local_seconds(const int fields[6]);

extern const int clinux_O_PATH;
extern const int clinux_O_TMPFILE;
extern const int clinux_O_NOATIME;
extern const int clinux_AT_EMPTY_PATH;
extern const int clinux_AT_STATX_FORCE_SYNC;
