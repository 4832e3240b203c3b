#!/usr/bin/env python3
"""The other compiler's errors and warnings, which `./dev fuzz` would meet: every source of engine/, webhooks/ and tests/fuzz/
is compiled by clang++ with the flags that it is built with but for the optimiser, into BUILD_FOLDER/clang; the compilers' cache
knows what has not changed. Usage: clang.py BUILD_FOLDER"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "webhooks", "tests/fuzz")


def sources(build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve().relative_to(ROOT)
        if path.parts and str(path).startswith(FOLDERS):
            yield path, entry


def command_of(entry):
    words = iter(shlex.split(entry["command"]))
    for word in words:   # perhaps behind ccache
        if word.endswith("++"):
            break
    flags = []
    for word in words:
        if word == "-o":
            next(words)
        elif word != "-c":
            flags.append(word)
    cache = ["ccache"] if shutil.which("ccache") else []
    return [*cache, "clang++", "-c", "-Wno-unknown-warning-option", *flags, "-O0", "-U_FORTIFY_SOURCE"]


def compile_one(path, entry):
    target = pathlib.Path(entry["directory"], "clang", path).with_suffix(".o")
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [*command_of(entry), "-o", str(target)]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def main(build):
    entries = dict(sources(build))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (is_good, said) in zip(entries, pool.map(compile_one, entries, entries.values())):
            if not is_good:
                bad += 1
                print(f"{path}:\n{said}")
    print(f"{len(entries)} sources, {bad} that clang refuses")
    return 1 if bad or not entries else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
