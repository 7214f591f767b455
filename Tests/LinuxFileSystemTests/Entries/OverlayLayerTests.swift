import SystemPackage
import Testing

@testable import LinuxFileSystem

/// Handles as an overlay gives them, recorded on Linux 6.18 with an ext4 below.
struct OverlayLayerTests {
  private static let lower = [0, 0, 0, 0, 0xfb, 0x1d, 0x00, 0x01] + zeros + [0x0b, 0xc0, 0x12, 0x00] + generation
  private static let upper = [0, 0, 0, 0, 0xfb, 0x1d, 0x04, 0x01] + zeros + [0x14, 0xc0, 0x12, 0x00] + generation
  private static let zeros = [UInt8](repeating: 0, count: 16)
  private static let generation: [UInt8] = [0x5d, 0x17, 0x53, 0xe7]

  private func layer(_ bytes: [UInt8], type: Int32 = 0xf8) -> OverlayLayer {
    unsafe bytes.span.withUnsafeBytes { unsafe OverlayLayer(type: type, bytes: $0) }
  }

  @Test func whatWasMadeInTheUpperLayerSaysSo() {
    #expect(layer(Self.upper) == .upper)
  }

  /// UUIDs are made of the number: it must be the same tomorrow.
  @Test func theOriginIsANumberThatStays() {
    #expect(layer(Self.lower) == .lower(origin: 593_888_289_739_506))
  }

  @Test func anotherFileHasAnotherOrigin() {
    var other = Self.lower
    other[24] += 1
    #expect(layer(other) != layer(Self.lower))
    guard case .lower(let origin) = layer(other) else { Issue.record("not a lower file"); return }
    #expect(origin > 2 && origin < 1 << 51, "born long ago")
  }

  @Test func whatIsNoHandleOfAnOverlayTellsNothing() {
    #expect(layer(Self.upper, type: 1) == .unknown)
    #expect(layer([]) == .unknown)
    #expect(layer(Array(Self.upper.prefix(7))) == .unknown)
    #expect(layer([0, 0, 0, 1] + Self.upper.dropFirst(4)) == .unknown, "a version that is not known")
    #expect(layer([0, 0, 0, 0, 0xfa] + Self.upper.dropFirst(5)) == .unknown)
  }

  @Test func elsewhereNothingIsTold() throws {
    let directory = try OwnedDescriptor.openDirectory(at: "/proc/self", for: .search)
    #expect(OverlayLayer.of(directory) == .unknown)
  }
}
