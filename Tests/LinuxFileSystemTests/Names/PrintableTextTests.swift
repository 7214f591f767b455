import LinuxFileSystem
import SystemPackage
import Testing

/// What stands in a line for people or in a log: no file name forges a line or commands the terminal.
struct PrintableTextTests {
  @Test func aPathIsShownOnOneLine() {
    let path = FilePath(bytes: Array("/a\n\u{1b}[2J\u{202e}é\\".utf8) + [0x80, 0xff])
    #expect(path.printable == #"/a\n\u{1B}[2J\u{202E}é\\\x80\xff"#)
  }

  @Test(arguments: [
    "\0", "\t", "\r", "\u{1f}", "\u{7f}", "\u{80}", "\u{85}", "\u{9f}", "\u{2028}", "\u{2029}", "\u{61c}", "\u{200e}",
    "\u{200f}", "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}",
  ])
  func whatCommandsIsEscaped(_ scalar: Unicode.Scalar) {
    let text = "a\(Character(scalar))b"
    let escaped = "a\(scalar.escaped(asASCII: true))b"
    #expect(text.escapingControls == escaped)
    if scalar != "\0" { #expect(FilePath(text).printable == escaped) }
  }

  /// Joiners are part of scripts and of emoji.
  @Test(arguments: ["é", "\u{a0}", "\u{200c}", "\u{1F469}\u{200D}\u{1F4BB}", "\u{202f}", "日本", "שלום"])
  func whatIsOnlyShownStays(_ text: String) {
    #expect(FilePath(text).printable == text)
    #expect(text.escapingControls == text)
  }

  @Test func aBackslashIsDoubledInAPathAndStaysInText() {
    #expect(FilePath(#"a\b"#).printable == #"a\\b"#)
    #expect(FilePath(#"a\b"#).printable.escapingControls == #"a\\b"#)
  }
}
