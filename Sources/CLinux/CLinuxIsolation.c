#include "CLinuxIsolation.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// clone(3) by the name that no sanitizer replaces: those would take the process for one with a memory of its own.
extern int __clone(int (*body)(void *), void *stack, int flags, void *context, ...);

struct isolation {
  void (*body)(void *);
  void *context;
  pid_t parent;
};

/// A system call that leaves errno alone, which the two processes share.
static long call(long number, long first, long second, long third, long fourth) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = fourth;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = first;
  register long x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  register long x3 __asm__("x3") = fourth;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
#else
  long result = syscall(number, first, second, third, fourth);
  return result == -1 ? -errno : result;
#endif
}

static int run(void *argument) {
  struct isolation *isolation = argument;
  call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  call(SYS_prctl, PR_SET_NAME, (long)CLINUX_ISOLATED_NAME, 0, 0);
  // The other may have ended before that.
  if (call(SYS_getppid, 0, 0, 0, 0) != isolation->parent) return 0;
  isolation->body(isolation->context);
  return 0;
}

int clinux_run_isolated(void (*body)(void *), void *context, void *stack, size_t stack_size) {
  struct isolation isolation = {body, context, getpid()};
  // Its signals are those of this process, and so are their handlers.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int process = __clone(run, (char *)stack + stack_size, CLONE_VM | CLONE_FS | CLONE_FILES, &isolation);
  int status = -1;
  if (process != -1) {
    long ended;
    do {
      ended = call(SYS_wait4, process, (long)&status, __WALL, 0);
    } while (ended == -EINTR);
    if (ended != process) status = 0;
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return status;
}
