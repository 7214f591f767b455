#pragma once

// What a command line tool wants of its process: standard streams, signals, limits.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Opens /dev/null for each standard stream that is closed, so that no file takes its number. Writing to what was a closed
/// output still fails with EBADF.
int clinux_secure_standard_streams(void);
/// Whether the descriptor is a terminal.
int clinux_is_terminal(int descriptor);
/// Makes writing to a closed pipe fail with EPIPE instead of ending the process.
int clinux_ignore_broken_pipe(void);
/// Raises the soft limit of open descriptors to the hard one.
int clinux_raise_descriptor_limit(void);
/// mallopt(3): blocks of 256 KiB and more are mapped each for itself, and given back when they are freed.
void clinux_return_freed_memory(void);
/// write(2); waits with poll(2) where the descriptor does not block.
ssize_t clinux_write(int descriptor, const void *bytes, size_t count);

/// Blocks SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP in this thread and those it starts; the signalfd(2) for them.
int clinux_termination_signals(void);

enum clinux_end { clinux_end_timeout = 0, clinux_end_signal = 1, clinux_end_woken = 2, clinux_end_output_closed = 3 };
/// Waits for a signal, a wake-up of the eventfd, or the reader of `output` going away. Negative descriptors are left out.
int clinux_wait_for_end(int signals, int wake, int output, int64_t timeout_nanoseconds);

/// getrlimit(2) with RLIMIT_NOFILE.
int clinux_descriptor_limits(uint64_t *soft, uint64_t *hard);
