import Benchmark

/// What is run: the generated main program asks for it by this name.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 1, maxDuration: .seconds(5))
  lookUps()
  lives()
  documents()
}
