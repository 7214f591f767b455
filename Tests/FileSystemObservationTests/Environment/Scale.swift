import ObservationTestSupport

/// How large the large tests are.
///
/// `FSO_SCALE=0.1` makes them ten times smaller, for a run under a sanitizer.
enum Scale {
  private static let factor = Environment["FSO_SCALE"].flatMap(Double.init) ?? 1

  static func of(_ count: Int) -> Int { max(1, Int(Double(count) * factor)) }
}
