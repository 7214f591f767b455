import ArgumentParser
import Glibc
import ObservationCorpus
import ObservationSimulation

// What real applications did, re-enacted in the simulated machine.

extension Simulate {
  func reenact(in folder: String) throws {
    let all = try Recording.recordings(in: folder)
    let chosen = all.filter { recording == nil || $0.case == recording }
    guard !chosen.isEmpty else { throw ValidationError("no such recording in \(folder)") }
    let seeds = replay.map { $0...$0 } ?? 1...schedules
    let clock = ContinuousClock()
    var failed = 0
    let time = clock.measure { for recording in chosen { failed += reenact(recording, seeds) } }
    print("\(chosen.count) recordings, \(seeds.count) schedules each in \(time): \(failed) failed")
    if failed > 0 { throw ExitCode.failure }
  }

  /// Gives the number of schedules by which what was said was not the truth.
  private func reenact(_ recording: Recording, _ seeds: ClosedRange<UInt64>) -> Int {
    let names = NameTable()
    var failed = 0
    for seed in seeds {
      Watchdog.watch(seed)
      let run = RecordedRun(recording, seed: seed, names: names)
      let faults = run.faults()
      if replay != nil, chosenAlone || !faults.isEmpty { for line in run.journal() { print(line) } }
      guard !faults.isEmpty else { continue }
      failed += 1
      print("\(recording.case), schedule \(seed): \(faults.joined(separator: "; "))")
      fflush(nil)
    }
    return failed
  }

  private var chosenAlone: Bool { recording != nil }
}
