import CAdwaita
import SystemPackage

/// Asks for a folder with the dialog of the desktop. (GTK has `GtkFileDialog` from 4.10 on.)
enum FolderChooser {
  private static var shown: Reference?

  static func choose(over window: Widget, startingAt folder: FilePath?, _ done: @escaping (FilePath) -> Void) {
    let chooser = Reference(
      taking: gtk_file_chooser_native_new(
        "Open Folder", window.cast(), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "_Open", "_Cancel"))
    gtk_native_dialog_set_modal(chooser.pointer.cast(), 1)
    if let folder {
      let file = Reference(taking: g_file_new_for_path(folder.string))
      gtk_file_chooser_set_current_folder(chooser.pointer, file.pointer, nil)
    }
    chooser.pointer.on("response") { arguments in
      let file = gtk_file_chooser_get_file(arguments.object(0))
      if arguments.int(1) == GTK_RESPONSE_ACCEPT.rawValue, let path = Files.path(of: file) { done(path) }
      if let file { g_object_unref(file.raw) }
      shown = nil
    }
    shown = chooser
    gtk_native_dialog_show(chooser.pointer.cast())
  }
}
