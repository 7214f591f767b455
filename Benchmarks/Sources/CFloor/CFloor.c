#include <malloc.h>
#include "CFloor.h"

#include <errno.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

int cfloor_inotify(void) { return inotify_init1(IN_CLOEXEC); }

int cfloor_watch(int inotify, const char *directory) {
  return inotify_add_watch(
      inotify, directory, IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
}

int cfloor_read(
    int inotify, void *context, void (*told)(void *context, int watch, uint32_t mask, const char *name)) {
  _Alignas(struct inotify_event) char buffer[65536];
  ssize_t count;
  do count = read(inotify, buffer, sizeof buffer);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return 0;
  for (char *next = buffer; next < buffer + count;) {
    const struct inotify_event *event = (const struct inotify_event *)next;
    told(context, event->wd, event->mask, event->len > 0 ? event->name : "");
    next += sizeof *event + event->len;
  }
  return 1;
}

int64_t cfloor_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t cfloor_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
