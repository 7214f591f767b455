#pragma once

#include <stdint.h>
#include <sys/types.h>

// A FUSE file system for tests that answers or does not, by the protocol itself (fuse(4)): no library is needed. It
// holds a.txt, d, d/b.txt and, once it is told so, new.txt and a file with a long name, and keeps one attribute of
// each.

enum ctest_fuse_operation {
  ctest_fuse_nothing,
  ctest_fuse_lookup,
  ctest_fuse_getattr,
  ctest_fuse_opendir,
  ctest_fuse_readdir,
  ctest_fuse_getxattr,
  ctest_fuse_setxattr,
  ctest_fuse_statfs,
  ctest_fuse_everything,
};

/// The number of bytes in such a name: 255 characters of three bytes, as NTFS can have.
enum { ctest_fuse_long_name = 765 };

/// What the tests and the process that serves share.
struct ctest_fuse {
  /// The operation that is not answered, for the time being.
  volatile int hanging;
  /// How many requests wait for an answer.
  volatile int waiting;
  /// Whether new.txt is there.
  volatile int has_more;
  /// Whether a file is in d whose name is longer than most file systems can have it.
  volatile int has_long_name;
};

/// What the source of a test's mount begins with, before the number of the process that mounted it.
#define ctest_mount_source "fsobserve-test-"
/// Unmounts it now, or when nothing uses it any longer, without looking at it.
int ctest_detach_mount(const char *path);

/// Memory that is shared with processes started from now on.
struct ctest_fuse *ctest_fuse_make(void);
/// Mounts it, and starts the process that serves it; its number. `owner` alone may look at it, unless all may.
pid_t ctest_fuse_mount(struct ctest_fuse *shared, const char *path, unsigned owner, int allows_others);
/// Unmounts it, and ends the process.
void ctest_fuse_unmount(struct ctest_fuse *shared, pid_t process, const char *path);

/// Mounts an autofs that mounts something at the path itself when it is looked into; the end of a pipe that tells when
/// that is wanted.
int ctest_autofs_mount(const char *path);
