#include "CTool.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int ctool_secure_standard_streams(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened the wrong way round: reading from it or writing to it fails as it does on a closed one.
    int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    if (opened == -1) return -1;
    // The lowest free number is taken, and those below are in use.
    if (opened != descriptor) {
      close(opened);
      return -1;
    }
  }
  return 0;
}

int ctool_has_children(void) {
  siginfo_t information;
  // Those that share the memory of this process, too.
  return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

int ctool_is_terminal(int descriptor) { return isatty(descriptor); }

int ctool_ignore_broken_pipe(void) { return signal(SIGPIPE, SIG_IGN) == SIG_ERR ? -1 : 0; }

int ctool_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

void ctool_return_freed_memory(void) { mallopt(M_MMAP_THRESHOLD, 256 * 1024); }

ssize_t ctool_write(int descriptor, const void *bytes, size_t count) {
  while (1) {
    ssize_t written = write(descriptor, bytes, count);
    if (written != -1 || (errno != EAGAIN && errno != EWOULDBLOCK)) return written;
    struct pollfd entry = {.fd = descriptor, .events = POLLOUT};
    if (poll(&entry, 1, -1) == -1) return -1;
  }
}

int ctool_termination_signals(int takes_requests) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (takes_requests) sigaddset(&signals, SIGUSR1);
  struct sigaction action;
  if (sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  int code = pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (code != 0) {
    errno = code;
    return -1;
  }
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int ctool_wake_signal(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int ctool_wake(int descriptor) { return eventfd_write(descriptor, 1); }

static int take_event(const struct pollfd *entries) {
  if (entries[0].revents & POLLIN) {
    struct signalfd_siginfo information;
    if (read(entries[0].fd, &information, sizeof information) > 0)
      return information.ssi_signo == SIGUSR1 ? ctool_end_request : ctool_end_signal;
  }
  if (entries[1].revents & POLLIN) {
    eventfd_t count;
    if (eventfd_read(entries[1].fd, &count) == 0) return ctool_end_woken;
  }
  return entries[2].revents & (POLLERR | POLLHUP) ? ctool_end_output_closed : ctool_end_timeout;
}

int ctool_wait_for_end(int signals, int wake, int output, int64_t timeout_nanoseconds) {
  // Asking for nothing on the output still tells POLLERR: the last reader of a pipe is gone.
  struct pollfd entries[] = {
      {.fd = signals, .events = POLLIN}, {.fd = wake, .events = POLLIN}, {.fd = output, .events = 0}};
  struct timespec timeout = {timeout_nanoseconds / 1000000000, timeout_nanoseconds % 1000000000};
  int count = ppoll(entries, 3, timeout_nanoseconds < 0 ? NULL : &timeout, NULL);
  return count > 0 ? take_event(entries) : count;
}

int ctool_memory_file(void) { return memfd_create("fsobserve", MFD_CLOEXEC); }

/// The environment of this process after further variables, of which the first of a name counts.
static char **environment_with(const char *variables, size_t size) {
  size_t count = 0, own = 0;
  for (size_t index = 0; index < size; index++) count += variables[index] == 0;
  while (environ[own]) own++;
  char **all = calloc(count + own + 1, sizeof *all);
  if (!all) return NULL;
  const char *next = variables;
  for (size_t index = 0; index < count; index++, next += strlen(next) + 1) all[index] = (char *)next;
  memcpy(all + count, environ, own * sizeof *all);
  return all;
}

static int spawn_shell(pid_t *process, const char *command, int input, char **environment) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *const arguments[] = {"sh", "-c", (char *)command, NULL};
  int code = posix_spawn(process, "/bin/sh", &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

pid_t ctool_spawn_shell(const char *command, int input, const char *variables, size_t size) {
  if (lseek(input, 0, SEEK_SET) == -1) return -1;
  char **environment = environment_with(variables, size);
  if (!environment) return -1;
  pid_t process = -1;
  int code = spawn_shell(&process, command, input, environment);
  free(environment);
  if (code == 0) return process;
  errno = code;
  return -1;
}
