#pragma once

// The system calls with which tests act on real files. They are the tests' own, so that what the library calls is
// checked against something else than itself. Every function returns -1 and sets errno on failure.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "CTestFUSE.h"

struct ctest_status {
  uint64_t device;
  uint64_t inode;
  int64_t size;
  int64_t modified;
  uint32_t mode;
  uint32_t link_count;
  uint32_t owner;
};

int ctest_lstat(const char *path, struct ctest_status *result);

ssize_t ctest_get_attribute(const char *path, const char *name, void *value, size_t size);
int ctest_set_attribute(const char *path, const char *name, const void *value, size_t size);
int ctest_remove_attribute(const char *path, const char *name);

/// open(2), which is variadic.
int ctest_open(const char *path, int flags, unsigned mode);

/// renameat2(2).
int ctest_rename(const char *old_path, const char *new_path, unsigned flags);

/// utimensat(2) with the time it is, and fchmodat(2), of a symbolic link itself.
int ctest_touch(const char *path);
int ctest_chmod(const char *path, unsigned mode);

/// renameat2(2) with RENAME_EXCHANGE.
int ctest_exchange(const char *first, const char *second);

/// open(2) with O_TMPFILE, and the linkat(2) that gives such a file its name.
int ctest_open_unnamed(const char *directory);
int ctest_link_unnamed(int descriptor, const char *path);

/// The type of the file system at a path, as in statfs(2).
int64_t ctest_file_system_type(const char *path);

/// The name of an error, for instance "EPERM"; NULL where it has none.
const char *ctest_error_name(int error);

int64_t ctest_monotonic_nanoseconds(void);
/// clock_nanosleep(2) until an absolute time of the monotonic clock.
void ctest_sleep_until(int64_t nanoseconds);

/// Starts a program found through PATH. Its standard output goes to the descriptor given, or stays where it is for -1.
int ctest_spawn(char *const arguments[], int standard_output, pid_t *pid);
/// waitpid(2): the exit status, or 128 and the number of the signal.
int ctest_wait(pid_t pid);

/// fork(2) of a child that its parent traces: 0 in the child, which goes on when the parent lets it.
pid_t ctest_fork_traced(void);
/// Lets a traced child run, and kills it when it begins its n-th system call. Returns how many it has begun; -1 if it
/// cannot be traced. The status is that of waitpid(2).
int64_t ctest_kill_at_call(pid_t child, int64_t call, int *status);
