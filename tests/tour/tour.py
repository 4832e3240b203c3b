#!/usr/bin/env python3
"""Runs the ```console blocks of a document against a fresh server with the sample data and compares every answer.

A line that begins with "$ " is a command (continued while lines end in a backslash); the lines after it are its expected
output, in which "..." stands for any text. All commands of a document share one shell, so variables last. The address
http://127.0.0.1:8080 of the document stands for the test server's.

A document may add files to the desk: each ```lua block that begins with a comment like "-- my/entities/call+room.lua". The
server is then started with the --set arguments of the document's line that begins with "build/callisto serve" before the
files are there, so that they come to a desk that runs already."""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ADDRESS = "http://127.0.0.1:8080"
MARK = "--end-of-command--"
PR_SET_PDEATHSIG = 1
MOST_LINES = 15   # of a file in a document, as the guide promises


def steps_of(document):
    """(line number, command, expected output) of every command in the document's console blocks."""
    steps, inside, lines = [], False, document.read_text(encoding="utf-8").splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            number, command = index + 1, [line[2:]]
            while command[-1].endswith("\\"):
                index += 1
                command.append(lines[index])
            expected = []
            while not lines[index + 1].startswith(("$ ", "```")):
                index += 1
                expected.append(lines[index])
            steps.append((number, "\n".join(command), "\n".join(expected)))
        index += 1
    return steps


def own_files(document):
    """{path: text} of what the document adds to the desk."""
    block = re.compile(r"^```lua\n-- (my/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    files = dict(block.findall(document.read_text(encoding="utf-8")))
    for path, text in files.items():
        if text.count("\n") > MOST_LINES:
            raise SystemExit(f"{document}: {path} has more than {MOST_LINES} lines")
    return files


def settings_of(document):
    line = re.search(r"^build/callisto serve .*$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return re.findall(r"--set \S+", line[0]) if line else []


def lay_out(folder, program):
    """A folder that looks like the repository after a build, with folders for files of one's own."""
    for name in ("entities", "scripts", "samples"):
        (folder / name).symlink_to(pathlib.Path(name).resolve())
    (folder / "build").mkdir()
    (folder / "build" / "callisto").symlink_to(pathlib.Path(program).resolve())
    for name in ("entities", "scripts"):
        (folder / "my" / name).mkdir(parents=True)


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, actual.strip(), re.DOTALL) is not None


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Server:
    def __init__(self, folder, settings):
        command = ["build/callisto", "serve", "--listen", "127.0.0.1:0", "--data", "data", "--samples"]
        command += [word for setting in settings for word in setting.split()]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
        for line in self.process.stdout:
            if "listening on " in line:
                self.address = line.split("listening on ")[1].split()[0]
                return
        raise SystemExit("the server did not start")

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def start(document, program, folder):
    files = own_files(document)
    lay_out(folder, program)
    server = Server(folder, settings_of(document) if files else [])
    write(folder, files)
    return server


def answer_of(shell, command, address):
    shell.stdin.write(command.replace(ADDRESS, address) + f"\necho; echo {MARK}\n")
    shell.stdin.flush()
    actual = []
    for line in shell.stdout:
        if line.strip() == MARK:
            break
        actual.append(line)
    return "".join(actual).replace(address, ADDRESS)


def run(document, program):
    failures = 0
    steps = steps_of(document)
    with tempfile.TemporaryDirectory() as folder:
        server = start(document, program, pathlib.Path(folder))
        shell = subprocess.Popen(["bash"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, env={**os.environ, "no_proxy": "*"})
        try:
            for number, command, expected in steps:
                answer = answer_of(shell, command, server.address)
                if not matches(expected, answer):
                    failures += 1
                    print(f"{document}:{number}: $ {command}\n  expected: {expected}\n  actual:   {answer}")
        finally:
            shell.stdin.close()
            shell.wait(timeout=60)
            if server.stop() != 0:
                failures += 1
                print("the server did not exit with status 0")
    print(f"{document}: {len(steps)} commands, {failures} different")
    return failures == 0 and len(steps) > 0


def main():
    program = sys.argv[1]
    documents = [pathlib.Path(name) for name in sys.argv[2:]]
    return 0 if all([run(document, program) for document in documents]) else 1


sys.exit(main())
