import Glibc

/// Lets contenders tell of the same operation in turns, each in a tree of its own.
struct LatencyRace {
  let contenders: [any Contender]
  let folders: [Folder]
  /// Between two operations, in microseconds.
  let pause: Int

  /// How long each of them took, in the order of the contenders.
  func run(_ task: LatencyTask, _ count: Int) throws -> [Sample] {
    task.isDoubtful ? try runTogether(task, count) : try runOneByOne(task, count)
  }

  private func runOneByOne(_ task: LatencyTask, _ count: Int) throws -> [Sample] {
    var samples = contenders.map { _ in Sample() }
    for number in 0..<count {
      for index in turn(number) {
        let start = Moment.now
        try task.act(folders[index], number)
        samples[index].append(try told(task, number, by: index) - start)
        usleep(UInt32(pause))
      }
    }
    return samples
  }

  /// The operations are so far apart that none has to wait for another.
  private func runTogether(_ task: LatencyTask, _ count: Int) throws -> [Sample] {
    var starts: [[Moment]] = contenders.map { _ in [] }
    for number in 0..<count {
      for index in turn(number) {
        starts[index].append(.now)
        try task.act(folders[index], number)
        usleep(UInt32(pause))
      }
    }
    return try contenders.indices.map { index in
      var sample = Sample()
      for number in 0..<count { sample.append(try told(task, number, by: index) - starts[index][number]) }
      return sample
    }
  }

  /// Each round begins with another contender.
  private func turn(_ number: Int) -> [Int] {
    contenders.indices.map { ($0 + number) % contenders.count }
  }

  private func told(_ task: LatencyTask, _ number: Int, by index: Int) throws -> Moment {
    let contender = contenders[index]
    return try contender.sightings.time(of: contender.sight(of: task.happening(folders[index], number)))
  }
}
