#include "CTool.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
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

int ctool_termination_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
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
    if (read(entries[0].fd, &information, sizeof information) > 0) return ctool_end_signal;
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
