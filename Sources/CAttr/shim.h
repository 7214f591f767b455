#pragma once
#include <sys/types.h>
#include <attr/error_context.h>
#include <attr/libattr.h>

/// What the filter of attr_copy_fd(3) is given besides the name: libattr passes the error context through.
struct cattr_filter {
  struct error_context base;
  /// The name to leave out.
  const char *excluded;
  /// Whether names in the name space `user.` are copied, or all others.
  int selects_user;
};
