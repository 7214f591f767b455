#pragma once
#include <sys/types.h>
#include <attr/libattr.h>
#include <attr/error_context.h>
