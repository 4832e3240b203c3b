#!/usr/bin/env python3
"""callisto console at a terminal: editing, history and completion. Usage: terminal.py PROGRAM"""
import os
import pathlib
import pty
import re
import select
import signal
import sys
import tempfile
import termios
import time

program = str(pathlib.Path(sys.argv[1]).resolve())
root = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60


def check(condition, text):
    if not condition:
        raise AssertionError(text)


class Terminal:
    def __init__(self, home):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)   # who runs the tests may ignore it
            os.chdir(root)
            os.environ.update({"HOME": str(home), "TERM": "xterm", "LINES": "40", "COLUMNS": "200"})
            os.execv(program, [program, "console", "--scratch"])
        self.seen = ""
        self.until("> ")

    def until(self, text):
        """What was shown up to it, without what moves the cursor."""
        latest = time.monotonic() + PATIENCE
        while text not in self.seen:
            check(select.select([self.terminal], [], [], max(0, latest - time.monotonic()))[0], f"{text!r} is not in {self.seen!r}")
            try:
                self.seen += re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", os.read(self.terminal, 4096).decode(errors="replace"))
            except OSError:
                raise AssertionError(f"it ended: {self.seen!r}") from None
        shown, self.seen = self.seen.split(text, 1)
        return shown + text

    def type(self, text):
        """Once the console edits: what comes before is the terminal's own, which knows no keys."""
        latest = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON:
            check(time.monotonic() < latest, f"it does not read: {self.seen!r}")
            time.sleep(0.005)
        os.write(self.terminal, text.encode())

    def end(self):
        self.type("exit\n")
        while True:
            try:
                if not os.read(self.terminal, 4096):
                    break
            except OSError:
                break
        check(self.ended() == 0, "the exit status is not 0")
        os.close(self.terminal)

    def ended(self):
        latest = time.monotonic() + PATIENCE
        while time.monotonic() < latest:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        os.kill(self.process, signal.SIGKILL)
        raise AssertionError("it does not end")


def main():
    with tempfile.TemporaryDirectory(prefix="callisto-terminal-") as home:
        one = Terminal(home)
        one.type("40 + 3\x02\x042\n")  # a step back, a letter removed, another one
        one.until("\r\n42\r\n")
        one.type("1000 + 1\n")
        one.until("\r\n1001\r\n")
        one.type(" secret = 1\n")
        one.until("> ")
        one.type("2000 + 2\n")
        one.until("\r\n2002\r\n")
        one.type("\x1b[A\x1b[A\n")  # the line before the last one that is kept
        one.until("\r\n1001\r\n")
        one.type('desk.search("configuration-i\t", "Na')
        one.until('tem", "Na')
        one.type('me == ?", "nowhere")\n')
        one.until("\r\n{}\r\n")
        one.type("call-\t\t")
        shown = one.until("call-state")
        check("call-history" in shown and "call-priority" in shown, shown)
        one.type("\x15'ä' .. 'ö'\n")
        one.until('"äö"')
        one.type("function twice(n)\n")
        one.until(">> ")
        one.type("return 2 * n end\n")
        one.until("> ")
        one.end()
        file = pathlib.Path(home) / ".callisto_history"
        kept = file.read_text()
        check("1000" in kept and "secret" not in kept, kept)
        check(file.stat().st_mode & 0o077 == 0, "others may read the history")
        two = Terminal(home)
        two.type("\x12twice\n")  # looked for backwards, as it was typed the last time
        two.until(">> ")
        two.type("\x03")
        two.ended()


main()
