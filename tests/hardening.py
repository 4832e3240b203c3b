#!/usr/bin/env python3
"""What a memory error in the program would meet, read off the program: stack protector, checked library calls, relocations
that are read-only before main(), a place of its own for each start, no executable stack, and landing pads for indirect jumps.

Usage: hardening.py PROGRAM...   A program that lacks one is named with what it lacks; the exit code is 1 then.
"""
import platform
import subprocess
import sys


def read(program, *options):
    return subprocess.run(["readelf", "--wide", *options, program], check=True, capture_output=True, text=True).stdout


def lacks(program):
    symbols = read(program, "--dyn-syms")
    dynamic = read(program, "--dynamic")
    segments = read(program, "--program-headers")
    stack = next((line.split() for line in segments.splitlines() if "GNU_STACK" in line), [])
    found = {
        "stack protector (__stack_chk_fail)": "__stack_chk_fail" in symbols,
        "checked library calls (_FORTIFY_SOURCE)": "_chk@" in symbols,
        "checked containers (_GLIBCXX_ASSERTIONS)": "__glibcxx_assert_fail" in symbols,
        "read-only relocations (RELRO)": "GNU_RELRO" in segments,
        "symbols bound before main() (BIND_NOW)": "NOW" in dynamic,
        "a position of its own for each start (PIE)": "PIE" in dynamic,
        "a stack that is not executable (NX)": bool(stack) and "E" not in stack[6],
    }
    if platform.machine() == "x86_64":
        # The note for the kernel is there only where the C library's own start code has pads as well.
        body = subprocess.run(["objdump", "--disassemble=main", program], check=True, capture_output=True, text=True)
        found["landing pads for indirect jumps (CET)"] = "endbr64" in body.stdout.partition("<main>:")[2]
    return [name for name, there in found.items() if not there]


def main(programs):
    if not programs or programs[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if programs else 2
    failed = 0
    for program in programs:
        for name in lacks(program):
            print(f"{program} lacks: {name}")
            failed = 1
    return failed


sys.exit(main(sys.argv[1:]))
