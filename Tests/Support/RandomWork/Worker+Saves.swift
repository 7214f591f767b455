import SystemPackage

extension Worker {
  /// The ways in which programs save documents.
  private enum Save: CaseIterable {
    case append, rewrite, writeSlowly
    case renameOver, renameHiddenOver, renameOverAndClose, unlinkAndCreate, unnamed, unnamedBeside, exchange
    case backupRemoved, backupKept, linkedBackupRemoved, copiedBackup

    var isInPlace: Bool {
      switch self {
      case .append, .rewrite, .writeSlowly, .copiedBackup: true
      default: false
      }
    }

    var isPossible: Bool {
      switch self {
      case .unnamed, .unnamedBeside: Ability.unnamedFiles.isPossible
      case .exchange: Ability.exchange.isPossible
      case .linkedBackupRemoved: Ability.hardLinks.isPossible
      default: true
      }
    }
  }

  mutating func save(_ index: Int) throws {
    guard let save = Save.allCases.randomElement(using: &random), save.isPossible else { return }
    let document = documents[index]
    // Nothing shows which of two names a replacement belongs to.
    if (document.link != nil || border.isUnsettled) && !save.isInPlace { return }
    note(index, "save \(document.name) by \(save)")
    let folder = tree[document.folder]
    if save.isInPlace {
      try saveInPlace(document, save, folder)
    } else {
      let begin = Moment.now
      try replace(document, save, folder)
      documents[index].longestSave = max(document.longestSave, .now - begin)
      documents[index].restsUntil = .now + rest
    }
  }

  private mutating func saveInPlace(_ document: Document, _ save: Save, _ folder: Folder) throws(Errno) {
    let name = document.name
    switch save {
    case .append: try folder.append(name)
    case .rewrite: try folder.write(name, "version \(nextSerial())")
    case .writeSlowly:
      let file = try folder.open(name, .truncate)
      for piece in 0..<5 {
        try file.write("piece \(piece)")
        (Moment.now + .milliseconds(3)).sleep()
      }
    default:
      try folder.write("\(name).orig", "copy")
      scratch.insert(Place(folder: document.folder, name: "\(name).orig"))
      try folder.write(name, "version \(nextSerial())")
    }
  }

  private mutating func replace(_ document: Document, _ save: Save, _ folder: Folder) throws(Errno) {
    let name = document.name
    let content = "version \(nextSerial())"
    switch save {
    case .renameOver: try replaceByRename(name, "\(name).tmp\(serial)", content, folder)
    case .renameHiddenOver: try replaceByRename(name, ".goutputstream-\(number)\(serial)", content, folder)
    case .renameOverAndClose:
      let file = try folder.open(".\(name).tmp", .create)
      try file.write(content)
      try folder.rename(".\(name).tmp", name)
    case .unlinkAndCreate:
      try folder.unlink(name)
      try folder.write(name, content)
    case .unnamed, .unnamedBeside: try replaceByUnnamed(name, content, isBeside: save == .unnamedBeside, folder)
    case .exchange:
      try folder.write("\(name).new", content)
      try folder.exchange("\(name).new", name)
      try folder.unlink("\(name).new")
    default: try replaceWithBackup(document, save, content, folder)
    }
  }

  private func replaceByRename(_ name: String, _ temporary: String, _ content: String, _ folder: Folder) throws(Errno) {
    try folder.write(temporary, content)
    try folder.rename(temporary, name)
  }

  private func replaceByUnnamed(_ name: String, _ content: String, isBeside: Bool, _ folder: Folder) throws(Errno) {
    let file = try folder.openUnnamed()
    try file.write(content)
    if isBeside {
      try file.link(to: folder["\(name).XyZ\(serial)"])
      try folder.rename("\(name).XyZ\(serial)", name)
    } else {
      try folder.unlink(name)
      try file.link(to: folder[name])
    }
  }

  private mutating func replaceWithBackup(
    _ document: Document, _ save: Save, _ content: String, _ folder: Folder
  ) throws(Errno) {
    let name = document.name
    let backup = "\(name)~"
    let place = Place(folder: document.folder, name: backup)
    if save == .linkedBackupRemoved {
      try? folder.unlink(backup)
      try folder.link(name, backup)
      try replaceByRename(name, "\(name).tmp\(serial)", content, folder)
    } else {
      try folder.rename(name, backup)
      try folder.write(name, content)
    }
    if save == .backupKept {
      backups[place] = .now + .seconds(3)
    } else {
      try folder.unlink(backup)
      backups[place] = nil
    }
    scratch.remove(place)
  }
}
