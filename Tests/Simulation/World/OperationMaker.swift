import FileIdentity
import LinuxFileSystem

/// What a user or program does.
enum OperationKind: CaseIterable {
  case createFile, createDirectory, createTree, createOther
  case rename, renameAndMakeAnew, move, renameDirectory, moveDirectory, moveOver, exchange, swapOverThird
  case remove, removeTree, moveOut, trash, moveIn
  case copy, copyOver, copyDirectory, link, download, moveBetweenDevices, moveTreeBetweenDevices
  case stripTag, forgeTag, spoilTag, touch, chmod
  case saveInPlace, saveByRename, saveWithBackup, saveByUnlinking, saveUnnamed, saveByExchange, saveAndRename
  case saveFolder
  case shuffle
  /// Only where it is asked for.
  case churn

  /// How often it is done beside the others.
  var weight: Int {
    switch self {
    case .churn: 0
    case .createFile, .rename, .move: 8
    case .saveInPlace, .saveByRename, .saveWithBackup, .saveByUnlinking, .copy: 8
    case .createTree, .copyDirectory, .moveDirectory, .renameDirectory, .remove, .moveOut, .moveIn, .link: 4
    case .saveUnnamed, .saveByExchange, .saveAndRename, .saveFolder, .moveOver, .exchange, .download, .createDirectory:
      4
    default: 2
    }
  }
}

/// Makes operations from a random number generator and what there is.
struct OperationMaker {
  private let disk: SimulatedDisk
  let names: NameTable
  let places: Places
  var random: Random
  private(set) var census: Census
  private(set) var nextID = 0
  private var serial = 0
  /// The kinds that this world knows, as often as they weigh.
  private let kinds: [OperationKind]
  /// How many operations out of a hundred an app asks its observer to do, and what chooses them.
  private let ownShare: Int
  private var ownChoice: Random

  init(
    _ disk: SimulatedDisk, _ places: Places, seed: UInt64, without excluded: [String], only: String? = nil,
    ownShare: Int = 0
  ) {
    self.ownShare = ownShare
    ownChoice = Random(seed: seed ^ 0x3c6e_f372_fe94_f82b)
    self.disk = disk
    names = disk.names
    self.places = places
    var random = Random(seed: seed)
    let chosen = Self.chooseKinds(&random).filter { !excluded.contains("\($0)") }
    kinds = only.map { only in OperationKind.allCases.filter { "\($0)" == only } } ?? chosen
    self.random = random
    census = Census(disk, places)
  }

  /// A world without this or that finds what a world of everything buries.
  private static func chooseKinds(_ random: inout Random) -> [OperationKind] {
    let share = random.below(4) == 0 ? 100 : 30 + random.below(60)
    var kinds: [OperationKind] = []
    for kind in OperationKind.allCases where kind == .createFile || random.below(100) < share {
      kinds += Array(repeating: kind, count: kind.weight)
    }
    return kinds
  }

  /// The next operation; nothing where what was chosen cannot be done.
  mutating func make() -> Operation? {
    guard let kind = random.pick(kinds) else { return nil }
    return make(kind)
  }

  mutating func make(_ kind: OperationKind) -> Operation? {
    census.renew(disk, places)
    let isOwn = ownShare > 0 && ownChoice.chance(ownShare, of: 100)
    let chosen = isOwn ? chooseOwn() : nil
    guard var operation = makeRoom() ?? chosen ?? choose(kind) ?? replace(kind) else { return nil }
    operation.id = nextID
    nextID += 1
    return operation
  }

  /// Where there is too much already, something is removed: a world that has run for long is no larger than another.
  private mutating func makeRoom() -> Operation? {
    if census.files.count > 60 { return choose(random.pick([.remove, .removeTree]) ?? .remove) }
    if census.directories.count > 60 { return removeTree() }
    if census.others.count > 30 { return removeOther() }
    return census.outside.count > 30 ? removeOutside() : nil
  }

  /// Where a folder is full no file can be made: in a world that only makes files nothing would ever be done again.
  private mutating func replace(_ kind: OperationKind) -> Operation? { kind == .createFile ? remove() : nil }

  mutating func choose(_ kind: OperationKind) -> Operation? {
    switch kind {
    case .createFile: createFile()
    case .createDirectory: createDirectory()
    case .createTree: createTree()
    case .createOther: createOther()
    case .rename: rename(toOtherDirectory: false)
    case .renameAndMakeAnew: renameAndMakeAnew()
    case .move: rename(toOtherDirectory: true)
    case .renameDirectory: moveDirectory(toOtherDirectory: false)
    case .moveDirectory: moveDirectory(toOtherDirectory: true)
    case .moveOver: moveOver()
    case .exchange: exchange()
    case .swapOverThird: swapOverThird()
    case .remove: remove()
    case .removeTree: removeTree()
    case .moveOut: moveOut(to: places.outside)
    case .trash: moveOut(to: places.trash)
    case .moveIn: moveIn()
    default: chooseMore(kind)
    }
  }

  private mutating func chooseMore(_ kind: OperationKind) -> Operation? {
    switch kind {
    case .copy: copy()
    case .copyOver: copyOver()
    case .copyDirectory: copyDirectory()
    case .link: link()
    case .download: download()
    case .moveBetweenDevices: moveBetweenDevices()
    case .moveTreeBetweenDevices: moveTreeBetweenDevices()
    case .stripTag, .forgeTag, .spoilTag: changeTag(kind)
    case .touch: touch()
    case .chmod: chmod()
    case .saveInPlace: saveInPlace()
    case .saveByRename: saveByRename()
    case .saveWithBackup: saveWithBackup()
    case .saveByUnlinking: saveByUnlinking()
    case .saveUnnamed: saveUnnamed()
    case .saveByExchange: saveByExchange()
    case .saveAndRename: saveAndRename()
    case .saveFolder: saveFolder()
    case .shuffle: shuffle()
    case .churn: churn()
    default: nil
    }
  }
}

// MARK: - Names

extension OperationMaker {
  static let documents = ["a.txt", "b.txt", "c.odt", "report", "data.db", "x.png", "main.c", "notes"]

  /// Whether a name is one that people give to documents.
  func isDocument(_ path: Path) -> Bool {
    path.last.map { Self.documents.contains(names.name($0).description) } ?? false
  }

  private static let directories = ["d1", "d2", "sub", "src", "old"]

  mutating func directory() -> Path {
    let index = random.below(census.directories.count + 1)
    return index == 0 ? places.tree : census.directories[index - 1].path
  }

  /// A directory below the observed one.
  mutating func folder() -> Path? { random.pick(census.directories)?.path }

  /// A file or folder.
  mutating func item() -> Path? {
    let index = random.below(census.files.count + census.directories.count)
    if index < census.files.count { return census.files[index].path }
    let folder = index - census.files.count
    return folder < census.directories.count ? census.directories[folder].path : nil
  }

  /// A name in a directory at which nothing stands now.
  mutating func freePath(in directory: Path, kind: FileKind = .file) -> Path? {
    let choices = kind == .directory ? Self.directories : Self.documents
    for _ in 0..<4 {
      guard let name = random.pick(choices) else { return nil }
      let path = directory.appending(names.number(name))
      if !isTaken(path) { return path }
    }
    while true {
      serial += 1
      let path = directory.appending(names.number("n\(serial % 50)"))
      if !isTaken(path) { return path }
      if serial % 50 == 0 { return nil }
    }
  }

  private func isTaken(_ path: Path) -> Bool { disk.find(path) != nil }

  mutating func document() -> Path? { random.pick(census.files)?.path }

  /// A name that programs give to what they are writing.
  mutating func temporaryName(beside path: Path) -> Path {
    serial += 1
    let name = path.last.map { names.name($0).description } ?? "x"
    let choices = [
      ".goutputstream-\(serial % 20)", ".\(name).swp", "\(name).tmp", "lu\(serial % 20).tmp", "sed\(serial % 20)",
      ".\(name).Mv5Ziv", "\(name).new",
    ]
    let chosen = path.parent.appending(names.number(random.pick(choices) ?? "tmp"))
    return chosen == path ? path.parent.appending(names.number("\(name).tmp")) : chosen
  }

  /// A name that programs make from a document's for its next version.
  mutating func versionName(of path: Path) -> Path {
    let name = path.last.map { names.name($0).description } ?? "x"
    let choices = ["\(name).new", "\(name).!sync", "new \(name)", "\(name)-1"]
    let version = path.parent.appending(names.number(random.pick(choices) ?? "x.new"))
    guard isTaken(version) else { return version }
    // What was there before is no version of it.
    serial += 1
    return path.parent.appending(names.number("\(name)-v\(serial)"))
  }

  /// A name that programs give to the old version.
  mutating func backupName(of path: Path) -> Path {
    let name = path.last.map { names.name($0).description } ?? "x"
    let choices = ["\(name)~", "\(name).bak", "#\(name)#", "\(name).orig", "\(name).~1~"]
    return path.parent.appending(names.number(random.pick(choices) ?? "x~"))
  }

  /// A pause as a program makes it in the middle of its work; mostly none.
  mutating func pause(longest: Int64) -> [Step] {
    random.chance(1, of: 3) ? [Step(.sleep(random.time(1_000, longest)))] : []
  }
}
