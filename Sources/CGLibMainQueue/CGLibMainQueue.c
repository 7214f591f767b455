#include "CGLibMainQueue.h"

#include <glib.h>
#include <sys/eventfd.h>
#include <unistd.h>

// What CoreFoundation's run loop uses. No header of libdispatch declares them.

/// An eventfd(2), which can be read once work has come to the empty main queue.
extern int _dispatch_get_main_queue_handle_4CF(void);
/// Runs what is in the main queue at this moment, and writes to the eventfd where more has come meanwhile. Does nothing
/// where it is called by such work.
extern void _dispatch_main_queue_callback_4CF(void *unused);

static GSource *main_queue;
static unsigned attachments;

// GLib does not poll a source while it runs. So a loop inside a main-queue job leaves the eventfd alone, and the work
// that it tells of is done after the job.
static gboolean run_main_queue(GSource *source, GSourceFunc callback, gpointer data) {
  (void)source, (void)callback, (void)data;
  // libdispatch does not read it: the loop would spin.
  eventfd_t count;
  eventfd_read(_dispatch_get_main_queue_handle_4CF(), &count);
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_CONTINUE;
}

// GLib asks the descriptor itself whether there is something to do.
static GSourceFuncs functions = {.dispatch = run_main_queue};

bool cglib_is_main_thread(void) { return getpid() == gettid(); }

void cglib_attach_main_queue(struct _GMainContext *context, int priority) {
  if (attachments++ > 0) return;
  main_queue = g_source_new(&functions, sizeof(GSource));
  g_source_set_name(main_queue, "main queue of libdispatch");
  g_source_set_priority(main_queue, priority);
  g_source_add_unix_fd(main_queue, _dispatch_get_main_queue_handle_4CF(), G_IO_IN);
  g_source_attach(main_queue, context);
}

void cglib_detach_main_queue(void) {
  if (--attachments > 0) return;
  g_source_destroy(main_queue);
  g_source_unref(main_queue);
  main_queue = NULL;
}
