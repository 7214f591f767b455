#pragma once
#include <sys/types.h>
#include <attr/error_context.h>
#include <attr/libattr.h>

/// What the filter of attr_copy_fd(3) is given besides the name: libattr passes the error context through.
struct cattr_filter {
  struct error_context base;
  /// The name of the one attribute that is copied.
  const char *name;
};
