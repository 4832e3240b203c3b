#!/usr/bin/env python3
"""Runs the ```console blocks of a document against a fresh server with the sample data and compares every answer.

A line that begins with "$ " is a command (continued while lines end in a backslash); the lines after it are its expected
output, in which "..." stands for any text. All commands of a document share one shell, so variables last. The address
http://127.0.0.1:8080 of the document stands for the test server's."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ADDRESS = "http://127.0.0.1:8080"
MARK = "--end-of-command--"


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


def matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, actual.strip(), re.DOTALL) is not None


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--data", folder, "--samples"],
                                        stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "listening on " in line:
                self.address = line.split("listening on ")[1].split()[0]
                return
        raise SystemExit("the server did not start")

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def run(document, program):
    failures = 0
    steps = steps_of(document)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        shell = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, env={**os.environ, "no_proxy": "*"})
        try:
            for number, command, expected in steps:
                shell.stdin.write(command.replace(ADDRESS, server.address) + f"\necho; echo {MARK}\n")
                shell.stdin.flush()
                actual = []
                for line in shell.stdout:
                    if line.strip() == MARK:
                        break
                    actual.append(line)
                answer = "".join(actual).replace(server.address, ADDRESS)
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
