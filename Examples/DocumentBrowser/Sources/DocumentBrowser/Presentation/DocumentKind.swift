import CAdwaita
import FileSystemObservation
import Synchronization
import SystemPackage

/// What kind of document an item is, by its name: the contents are not read.
struct DocumentKind {
  /// What a person calls it, for example `Plain text document`.
  let title: String
  /// The icon of the theme.
  let icon: Reference
  /// Whether a thumbnail can be made.
  let isImage: Bool

  private init(contentType: String) {
    let description = taken(g_content_type_get_description(contentType)) ?? contentType
    title = description.prefix(1).uppercased() + description.dropFirst()
    icon = Reference(taking: g_content_type_get_icon(contentType))
    isImage = contentType.hasPrefix("image/")
  }

  private static var known: [String: DocumentKind] = [:]

  /// The kind of an item, which is found once for each type.
  static func of(_ item: FileSystemItem.Snapshot) -> DocumentKind {
    let type = contentType(of: item)
    if let kind = known[type] { return kind }
    let kind = DocumentKind(contentType: type)
    known[type] = kind
    return kind
  }

  private static func contentType(of item: FileSystemItem.Snapshot) -> String {
    switch item.kind {
    case .directory: "inode/directory"
    case .symlink: "inode/symlink"
    default: ContentTypes.type(ofName: item.name)
    }
  }
}

/// The kinds of documents that the table can be reduced to.
nonisolated enum KindGroup: String, CaseIterable, Sendable {
  case folders, texts, images, sounds, videos, archives

  /// The title of the filter.
  var title: String {
    switch self {
    case .folders: "Folders"
    case .texts: "Texts"
    case .images: "Images"
    case .sounds: "Sounds"
    case .videos: "Videos"
    case .archives: "Archives"
    }
  }

  /// The icon of the filter.
  var iconName: String {
    switch self {
    case .folders: "folder-symbolic"
    case .texts: "x-office-document-symbolic"
    case .images: "image-x-generic-symbolic"
    case .sounds: "audio-x-generic-symbolic"
    case .videos: "video-x-generic-symbolic"
    case .archives: "package-x-generic-symbolic"
    }
  }

  /// Whether an item is of this kind; on any thread.
  func contains(_ item: FileSystemItem.Snapshot) -> Bool {
    if self == .folders || item.kind != .file { return self == .folders && item.kind == .directory }
    let icon = ContentTypes.genericIcon(ofName: item.name)
    return switch self {
    case .folders: false
    case .texts:
      ["text-x-generic", "x-office-document", "x-office-spreadsheet", "x-office-presentation"].contains(icon)
    case .images: icon == "image-x-generic" || icon == "x-office-drawing"
    case .sounds: icon == "audio-x-generic"
    case .videos: icon == "video-x-generic"
    case .archives: icon == "package-x-generic"
    }
  }
}

/// The types of files by the ends of their names, found once for each, on any thread.
nonisolated private enum ContentTypes {
  private static let types = Mutex<[String: String]>([:])
  private static let icons = Mutex<[String: String]>([:])

  static func type(ofName name: String) -> String {
    cached(name, in: types) { taken(g_content_type_guess($0, nil, 0, nil)) ?? "application/octet-stream" }
  }

  static func genericIcon(ofName name: String) -> String {
    cached(name, in: icons) { taken(g_content_type_get_generic_icon_name(type(ofName: $0))) ?? "" }
  }

  private static func cached(
    _ name: String, in table: borrowing Mutex<[String: String]>, _ make: (String) -> String
  ) -> String {
    let end = name.lastIndex(of: ".").map { String(name[$0...]) } ?? name
    if let known = table.withLock({ $0[end] }) { return known }
    let value = make(name)
    table.withLock { $0[end] = value }
    return value
  }
}
