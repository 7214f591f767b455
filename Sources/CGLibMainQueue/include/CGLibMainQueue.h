#pragma once

// The main queue of libdispatch as a source of a GLib main loop. Everything here is for the main thread only.

#include <stdbool.h>

// GLib's headers are not included: whoever imports this needs no flags of pkg-config.
struct _GMainContext;

/// Whether this is the main thread, the only one that may drain the main queue.
bool cglib_is_main_thread(void);

/// Has a context (the default one for NULL) drain the main queue, unless one does already. Each call is undone by one
/// of `cglib_detach_main_queue`.
void cglib_attach_main_queue(struct _GMainContext *context, int priority);

/// Undoes one attachment; after the last one the main queue is not drained any more.
void cglib_detach_main_queue(void);
