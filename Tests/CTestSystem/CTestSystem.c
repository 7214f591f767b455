#include "CTestSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int ctest_lstat(const char *path, struct ctest_status *result) {
  struct stat status;
  if (lstat(path, &status) == -1) return -1;
  result->device = status.st_dev;
  result->inode = status.st_ino;
  result->size = status.st_size;
  result->modified = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  result->mode = status.st_mode;
  result->link_count = (uint32_t)status.st_nlink;
  result->owner = status.st_uid;
  return 0;
}

ssize_t ctest_get_attribute(const char *path, const char *name, void *value, size_t size) {
  return lgetxattr(path, name, value, size);
}

int ctest_set_attribute(const char *path, const char *name, const void *value, size_t size) {
  return lsetxattr(path, name, value, size, 0);
}

int ctest_remove_attribute(const char *path, const char *name) { return lremovexattr(path, name); }

int ctest_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }

int ctest_rename(const char *old_path, const char *new_path, unsigned flags) {
  return renameat2(AT_FDCWD, old_path, AT_FDCWD, new_path, flags);
}

int ctest_touch(const char *path) { return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); }

int ctest_chmod(const char *path, unsigned mode) { return fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW); }

int ctest_exchange(const char *first, const char *second) {
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

int ctest_open_unnamed(const char *directory) { return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644); }

int ctest_link_unnamed(int descriptor, const char *path) {
  char source[64];
  snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int64_t ctest_file_system_type(const char *path) {
  struct statfs status;
  if (statfs(path, &status) == -1) return -1;
  return (int64_t)status.f_type;
}

const char *ctest_error_name(int error) { return strerrorname_np(error); }

int64_t ctest_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void ctest_sleep_until(int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

int ctest_spawn(char *const arguments[], int standard_output, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (standard_output >= 0) posix_spawn_file_actions_adddup2(&actions, standard_output, STDOUT_FILENO);
  int code = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code == 0) return 0;
  errno = code;
  return -1;
}

int ctest_wait(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) == -1) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
