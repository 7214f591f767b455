import FileIdentity
import LinuxFileSystem

/// What programs do, call by call.
enum Script {
  /// Copies a file, with its tag or without.
  static func copy(_ from: Path, _ to: Path, _ style: CopyStyle, file: Int, over: Bool) -> [Step] {
    var steps = [Step(.open(to, file, truncating: over, creating: true)), Step(.write(file))]
    switch style {
    case .plain: steps.append(Step(.close(file)))
    case .tagBeforeClose:
      steps += [Step(.readTag(from)), Step(.writeTimeOfOpen(file)), Step(.writeTagOfOpen(file)), Step(.close(file))]
    case .tagAfterClose:
      steps += [Step(.readTag(from)), Step(.close(file)), Step(.writeTag(to)), Step(.writeTime(to))]
    }
    return steps
  }

  /// Makes a file and writes it.
  static func create(_ path: Path, file: Int = 0, writes: Int = 1, pause: Int64 = 0) -> [Step] {
    var steps = [Step(.create(path, file))]
    for _ in 0..<writes {
      if pause > 0 { steps.append(Step(.sleep(pause))) }
      steps.append(Step(.write(file)))
    }
    return steps + [Step(.close(file))]
  }
}
