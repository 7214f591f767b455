// The plain kernel: what any program has to pay that looks at every file of a tree and at its tag.
#pragma once

enum cfloor_task {
  /// Look at each entry (statx) and read its tag (getxattrat).
  cfloor_read_tags,
  /// The same, and write a tag where there is none (setxattrat).
  cfloor_write_tags,
  /// Look at each entry, and write a tag unread: where there is one, that fails (XATTR_CREATE).
  cfloor_create_tags,
  /// Take the tags away.
  cfloor_remove_tags,
};

struct cfloor_totals {
  long entries;
  long tagged;
};

/// Does this to every file and directory below a directory, with so many threads; as any program in C, or without a
/// function of the C library around each system call.
struct cfloor_totals cfloor_walk(
    const char *_Nonnull root, const char *_Nonnull tag, enum cfloor_task task, int threads, int is_inlined);
