#!/usr/bin/env python3
"""Faults around a server: full and damaged disks, clocks that jump, clients that will not let go, little memory, and a
long mixed load with all of it. `./dev test` runs the short form, `./dev faults` the long one. Ends with "N passed, N
failed"; a failure prints how to repeat it."""
import argparse
import importlib
import os
import pathlib
import random
import sys
import tempfile
import time
import traceback

from server import Failed

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ["full_disk", "corrupted", "clock", "clients", "memory", "hostile_scripts", "soak"]


class Context:
    """What a fault test gets: the program, a folder, randomness of its own, and how long it is to be."""

    def __init__(self, options, name, folder):
        self.program, self.sanitized, self.factor = options.program, options.sanitized, options.factor
        self.soak_seconds = options.soak
        self.folder = pathlib.Path(folder)
        self.name = name
        self.random = random.Random(f"{name} {options.seed}")
        self.said = time.monotonic()

    def count(self, of_the_short_run):
        return max(1, round(of_the_short_run * self.factor))

    def progress(self, number, of, more=""):
        if self.factor > 1 and time.monotonic() - self.said > 15:
            self.said = time.monotonic()
            print(f"  {self.name}: {number} of {of} {more}", file=sys.stderr, flush=True)


def run_one(options, name):
    """Whether it passed."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="callisto-faults-") as folder:
        context = Context(options, name, folder)
        try:
            figures = importlib.import_module(name).run(context)
            print(f"passed: {name} ({time.monotonic() - began:.0f} s): {figures}", flush=True)
            return True
        except Failed as failure:
            print(f"FAILED: {name}: {failure}")
        except Exception:   # pylint: disable=broad-except; the others are to run too
            print(f"FAILED: {name}:\n{traceback.format_exc()}")
        for log in sorted(pathlib.Path(folder).glob("*.log")):
            print(f"  {log.name} ends with: {log.read_text(errors='replace')[-1500:]}")
    print(f"  repeat it: python3 tests/faults/faults.py --seed {options.seed} --factor {options.factor:g} "
          f"--only {name} --program {options.program}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/callisto")
    parser.add_argument("--sanitized", type=pathlib.Path, help="a build with ASan, for damaged files")
    parser.add_argument("--factor", type=float, default=1, help="times the counts of the short run")
    parser.add_argument("--soak", type=float, default=6, help="seconds of mixed load")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000_000))
    parser.add_argument("--only", nargs="+", default=NAMES, choices=NAMES)
    options = parser.parse_args()
    options.program = options.program.resolve()
    os.chdir(ROOT)   # where a server finds entities and scripts
    passed = [run_one(options, name) for name in options.only]
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
