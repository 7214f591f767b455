/// Programs in Python that operate other programs.
enum ProgramScripts {
  /// Types into an editor that needs a terminal: what it throws away while it starts must not be typed yet.
  static let typing = """
    import os, pty, select, sys
    editor, terminal = pty.fork()
    if editor == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(sys.argv[1], sys.argv[1:])
    def type(keys, prompt):
        seen = b""
        while prompt not in seen:
            if not select.select([terminal], [], [], 30)[0]: os.kill(editor, 9)
            seen += os.read(terminal, 4096)
        os.write(terminal, keys)
    type(b"line\\x0f", b"doc.txt")
    type(b"\\r", b"Write")
    type(b"\\x18", b"Wrote")
    sys.exit(os.waitpid(editor, 0)[1] != 0)
    """

  /// Whether LibreOffice can be operated from Python.
  static let officePython = "/usr/lib/python3/dist-packages/uno.py"

  /// Opens a document in LibreOffice without a screen, writes something, and stores it.
  static let storing = """
    import os, subprocess, sys, time, uno
    from com.sun.star.beans import PropertyValue
    from com.sun.star.connection import NoConnectException
    document, profile = sys.argv[1:]
    pipe = "fso%d" % os.getpid()
    office = subprocess.Popen(["soffice", "--headless", "--norestore", "-env:UserInstallation=file://" + profile,
        "--accept=pipe,name=" + pipe + ";urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    def connect():
        for attempt in range(600):
            try: return resolver.resolve("uno:pipe,name=" + pipe + ";urp;StarOffice.ComponentContext")
            except NoConnectException: time.sleep(0.1)
        office.kill()
    context = connect()
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    hidden = PropertyValue("Hidden", 0, True, 0)
    text = desktop.loadComponentFromURL("file://" + document, "_blank", 0, (hidden,))
    text.Text.insertString(text.Text.End, "line", False)
    text.store()
    text.close(True)
    desktop.terminate()
    sys.exit(office.wait())
    """
}
