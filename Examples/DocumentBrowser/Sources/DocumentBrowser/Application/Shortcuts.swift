/// The keys of the actions, which `shortcuts.ui` tells a person.
enum Shortcuts {
  static let keys: [String: [String]] = [
    "win.open-folder": ["<Control>o"], "win.new-folder": ["<Control><Shift>n"], "win.go-up": ["<Alt>Up"],
    "win.show-subfolders": ["<Control><Shift>s"],
    "win.rename": ["F2"], "win.duplicate": ["<Control>d"], "win.undo": ["<Control>z"],
    "win.copy-path": ["<Control><Shift>c"], "win.favourite": ["<Control>b"], "win.note": ["<Control>e"],
    "win.label::red": ["<Control>1"], "win.label::orange": ["<Control>2"], "win.label::yellow": ["<Control>3"],
    "win.label::green": ["<Control>4"], "win.label::blue": ["<Control>5"], "win.label::purple": ["<Control>6"],
    "win.label::grey": ["<Control>7"], "win.label::": ["<Control>0"],
    "win.search": ["<Control>f"], "win.show-details": ["F9"], "win.show-activity": ["<Control><Shift>a"],
    "win.show-help-overlay": ["<Control>question"], "window.close": ["<Control>w"], "app.quit": ["<Control>q"],
  ]
}
