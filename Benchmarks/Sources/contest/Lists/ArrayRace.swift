import FileSystemObservation
import Foundation

/// What an app does without a list: an array of items that is sorted anew after each change.
struct ArrayRace {
  private struct Row {
    var name: String
    var uuid: UUID
    var modified: Int
  }

  let rows: Int

  func measure(_ rounds: Int, _ burst: Int) -> [String] {
    let memory = ListRace.allocatedBytes
    var array = (0..<rows).map { number in
      Row(name: "Document \(number &* 7_919 % 1_000_003).txt", uuid: UUID(), modified: number &* 31 % 1_009)
    }
    let opening = time { sort(&array) }
    let bytes = Double(ListRace.allocatedBytes - memory) / Double(rows)
    var (insertion, rename) = (Sample(), Sample())
    for round in 0..<rounds {
      let uuid = UUID()
      insertion.append(
        time {
          array.append(Row(name: "Document \(round).5.txt", uuid: uuid, modified: 0))
          sort(&array)
        })
      rename.append(
        time {
          if let index = array.firstIndex(where: { $0.uuid == uuid }) { array[index].name = "\(round).txt" }
          sort(&array)
        })
    }
    let order = time { array.sort { $0.modified > $1.modified } }
    sort(&array)
    let all = time {
      for number in 0..<burst { array.append(Row(name: "new \(number)", uuid: UUID(), modified: 0)) }
      sort(&array)
    }
    return ["plain array", "\(rows)"]
      + [opening, insertion.quantile(500), rename.quantile(500), order, all].map { $0.milliseconds.text(3) }
      + [bytes.text(0)]
  }

  private func sort(_ array: inout [Row]) {
    array.sort { $0.name.compare($1.name, options: [.numeric, .caseInsensitive]) == .orderedAscending }
  }

  private func time(_ body: () -> Void) -> Duration {
    let start = Moment.now
    body()
    return Moment.now - start
  }
}
