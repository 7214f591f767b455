#include "CTestSystem.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t ctest_fork_traced(void) {
  pid_t child = fork();
  if (child != 0) return child;
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(125);
  raise(SIGSTOP);
  return 0;
}

static int wait_for(pid_t child, int *status) {
  while (waitpid(child, status, 0) == -1) {
    if (errno != EINTR) return -1;
  }
  return 0;
}

int64_t ctest_kill_at_call(pid_t child, int64_t call, int *status) {
  if (wait_for(child, status) != 0 || !WIFSTOPPED(*status)) return -1;
  if (ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0) return -1;
  int64_t begun = 0;
  int is_within = 0;
  int signal_number = 0;
  while (ptrace(PTRACE_SYSCALL, child, NULL, signal_number) == 0) {
    if (wait_for(child, status) != 0) return -1;
    if (!WIFSTOPPED(*status)) return begun;
    signal_number = 0;
    if (WSTOPSIG(*status) != (SIGTRAP | 0x80)) {
      signal_number = WSTOPSIG(*status);
      continue;
    }
    is_within = !is_within;
    if (!is_within) continue;
    begun += 1;
    if (begun != call) continue;
    // The call has not been done yet.
    kill(child, SIGKILL);
    return wait_for(child, status) == 0 ? begun : -1;
  }
  return -1;
}
