#pragma once

// What a command line tool wants of its process: standard streams, signals, limits.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Opens /dev/null for each standard stream that is closed, so that no file takes its number. Writing to what was a
/// closed output still fails with EBADF.
int ctool_secure_standard_streams(void);
/// Whether this process has any child, or another that shares its memory.
int ctool_has_children(void);
/// Whether the descriptor is a terminal.
int ctool_is_terminal(int descriptor);
/// Makes writing to a closed pipe fail with EPIPE instead of ending the process.
int ctool_ignore_broken_pipe(void);
/// Raises the soft limit of open descriptors to the hard one.
int ctool_raise_descriptor_limit(void);
/// mallopt(3): blocks of 256 KiB and more are mapped each for itself, and given back when they are freed.
void ctool_return_freed_memory(void);
/// write(2); waits with poll(2) where the descriptor does not block.
ssize_t ctool_write(int descriptor, const void *bytes, size_t count);

/// Blocks SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP in this thread and those it starts; the signalfd(2)
/// for them. With `takes_requests`, SIGUSR1, too.
int ctool_termination_signals(int takes_requests);

/// eventfd(2), closed on exec, that does not block; and what makes it readable.
int ctool_wake_signal(void);
int ctool_wake(int descriptor);

enum ctool_end {
  ctool_end_timeout = 0,
  ctool_end_signal = 1,
  ctool_end_woken = 2,
  ctool_end_output_closed = 3,
  /// SIGUSR1, which ends nothing.
  ctool_end_request = 4
};
/// Waits for a signal, a wake-up of the eventfd, or the reader of `output` going away. Negative descriptors are left
/// out.
int ctool_wait_for_end(int signals, int wake, int output, int64_t timeout_nanoseconds);

/// A file in memory, closed on exec.
int ctool_memory_file(void);
/// posix_spawn(3) of `sh -c COMMAND`, which reads what is in a file from its beginning.
///
/// It gets the environment of this process with further variables, each with a NUL at its end; `size` counts those,
/// too. Signals are for it what they are by default.
pid_t ctool_spawn_shell(const char *command, int input, const char *variables, size_t size);
