// A change gives its paths as `FilePath`; an app that reads them need not name the package it comes from.
@_exported public import struct SystemPackage.Errno
@_exported public import struct SystemPackage.FilePath
