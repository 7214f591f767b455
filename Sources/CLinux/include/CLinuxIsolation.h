#pragma once

#include <stddef.h>

/// What such a process is called in `/proc`.
#define CLINUX_ISOLATED_NAME "mount-guard"

/// Calls `body` in a process of its own, which shares memory and open files with this one, and waits until that process
/// has ended.
///
/// It is the calling thread that goes on in that process, as far as the C library is concerned: it must start no
/// threads there. Nothing has to wait for it when this process ends: it is killed then, as soon as it comes out of the
/// kernel. Gives its status as waitpid(2) does, or -1 with errno where no such process can be had, and then nothing was
/// called.
int clinux_run_isolated(void (*body)(void *), void *context, void *stack, size_t stack_size);
