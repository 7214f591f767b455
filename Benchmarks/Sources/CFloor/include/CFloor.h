// The plain kernel: what any watcher has to pay.
#pragma once

#include <stdint.h>

#include "CFloorWalk.h"

/// An inotify instance, or -1.
int cfloor_inotify(void);

/// Watches a directory for everything that happens to names, and for closes after writing; the watch's number, or -1.
int cfloor_watch(int inotify, const char *_Nonnull directory);

/// Waits for events and calls the function with each; 0 when the instance is closed or broken.
int cfloor_read(
    int inotify, void *_Nullable context,
    void (*_Nonnull told)(void *_Nullable context, int watch, uint32_t mask, const char *_Nonnull name));

/// The monotonic clock.
int64_t cfloor_nanoseconds(void);

/// The bytes that malloc has given out.
int64_t cfloor_allocated_bytes(void);
