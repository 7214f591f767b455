import CAdwaita
import SystemPackage

/// Files as GIO knows them.
enum Files {
  /// The path of a `GFile`; `nil` if it is not on this machine.
  static func path(of file: OpaquePointer?) -> FilePath? {
    file.flatMap { taken(g_file_get_path($0)) }.map { FilePath($0) }
  }

  /// The paths in a `GdkFileList`, such as what is dragged.
  static func paths(in value: UnsafePointer<GValue>) -> [FilePath] {
    guard let list = g_value_get_boxed(value) else { return [] }
    var paths: [FilePath] = []
    let files = gdk_file_list_get_files(OpaquePointer(list))
    var next = files
    while let file = next {
      if let path = path(of: file.pointee.data.map { OpaquePointer($0) }) { paths.append(path) }
      next = file.pointee.next
    }
    g_slist_free(files)
    return paths
  }

  /// What is dragged: a `GdkContentProvider` with paths.
  static func provider(of paths: [FilePath]) -> OpaquePointer? {
    let files = paths.map { Reference(taking: g_file_new_for_path($0.string)) }
    var pointers: [OpaquePointer?] = files.map(\.pointer)
    let list = gdk_file_list_new_from_array(&pointers, gsize(pointers.count))
    var value = GValue()
    g_value_init(&value, gdk_file_list_get_type())
    g_value_take_boxed(&value, UnsafeRawPointer(list))
    defer { g_value_unset(&value) }
    return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
  }
}

extension SignalArguments {
  /// The first file of the signal `open` of an application.
  var firstFile: FilePath? {
    let files = pointer(1)?.assumingMemoryBound(to: OpaquePointer?.self)
    return int(2) > 0 ? Files.path(of: files?.pointee) : nil
  }
}
