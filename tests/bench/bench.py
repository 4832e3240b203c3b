#!/usr/bin/env python3
"""./dev bench: the server beside its floors, in one run; a table that tells of each figure whether it is as wanted.

Everything is asked of the product and of what it is compared with in turn, several times over; figures are medians, and
a ratio is one of figures measured within the same second or two. Only ratios mean anything: the same machine drifts by
half within the hour. An earlier run is compared by its ratios alone; one is marked WORSE when it is worse by more than
the ratios of this run's rounds lie apart.

Writes build/bench.json, keeps the one of before as build/bench.last.json, and draws build/bench.svg. With --quick these
are bench.quick.*, with --only bench.only.*, which nothing is compared with."""
import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import textwrap
import time

import chart
import compare
import connections
import desk
import growth
import hostile
import mixed
import peers
import postgres
import programs
import question_table
import questions
import reads
import scripts
import startup
import table
import webhooks
import workbench
import write

# Each has NAMES, the cases that it may yield lines of, and measure(options).
PARTS = {"programs": programs, "reads": reads, "growth": growth, "scripts": scripts, "writes": write, "mixed": mixed,
         "connections": connections, "hostile": hostile, "start": startup, "webhooks": webhooks, "postgres": postgres,
         "questions": questions, "workbench": workbench, "peers": peers}
NOT_QUICK = ("webhooks", "postgres", "questions", "workbench", "peers")
README, TABLE = desk.ROOT / "README.md", desk.ROOT / "tests/bench/README.md"
QUESTIONS = desk.ROOT / "tests/bench/questions.md"
SAMPLE = desk.ROOT / "tests/bench/bench.svg"


def parser_of_options():
    parts = "\n".join(textwrap.fill(f"{name:12} " + module.__doc__.partition("\n\n")[0], 118, initial_indent="  ",
                                    subsequent_indent=" " * 15) for name, module in PARTS.items())
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__,
                                     epilog=f"parts:\n{parts}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="for people at work: a desk of 10,000 calls, three short "
                        "rounds, without " + " and ".join(NOT_QUICK) + " unless --only names them")
    parser.add_argument("--only", nargs="+", metavar="WORD", default=[],
                        help="parts and cases with one of these words in their names; the parts are below")
    parser.add_argument("--calls", type=int, nargs="+", help="sizes of the desks (default 10000 100000 1000000)")
    parser.add_argument("--rounds", type=int, help="times that each is measured (default 7; 3 with --quick)")
    parser.add_argument("--seconds", type=int, default=1, help="of each measurement (default 1)")
    parser.add_argument("--connections", type=int, default=8, help="that wrk keeps open where a case does not say "
                        "(default 8)")
    parser.add_argument("--against", type=pathlib.Path, metavar="FILE",
                        help="JSON of the run to compare with (default: the last one of the same kind)")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE",
                        help="measure nothing: show the run that FILE holds")
    parser.add_argument("--readme", action="store_true",
                        help="put the table into tests/bench/README.md, eight lines of it into README.md and the chart "
                        "into tests/bench/bench.svg; with --only questions theirs into questions.md and README.md")
    parser.add_argument("--build", type=pathlib.Path, default=desk.ROOT / "build", help="build folder (default build)")
    return parser


def read_options(arguments=None):
    parser = parser_of_options()
    options = parser.parse_args(arguments)
    if options.readme and (options.quick or options.only not in ([], [questions.NAME])):
        parser.error("--readme wants a whole run, or --only questions")
    options.build = options.build.resolve()
    options.calls = sorted(options.calls or ([10_000] if options.quick else [10_000, 100_000, 1_000_000]))
    options.rounds = options.rounds or (3 if options.quick else 7)
    options.wants = lambda part, case: wants(options, part, case)
    return options


def wants(options, part, case):
    if not options.only:
        return not (options.quick and part in NOT_QUICK)
    return any(word.lower() in name.lower() for word in options.only for name in (part, case))


def measure(options, failures):
    """Lines as they come. A part that fails is told of, and the next one begins."""
    for part, module in PARTS.items():
        if not any(options.wants(part, name) for name in module.NAMES):
            continue
        print(f"{part} ...", flush=True)
        try:
            for each in module.measure(options):
                print(f"  {table.as_text([each], {}).splitlines()[1].strip()}", flush=True)
                yield each
        except (SystemExit, OSError, subprocess.CalledProcessError) as failure:
            failures.append(f"{part}: {failure}")
            print(f"  FAILED: {failure}", flush=True)


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} cores{f' ({model[1]})' if model else ''}, {platform.system()}"


class Files:
    """Where a run goes, and the one before."""

    def __init__(self, options):
        kind = "bench.quick" if options.quick else "bench"
        stem = "bench.only" if options.only else kind
        self.run, self.chart = (options.build / f"{stem}{ending}" for ending in (".json", ".svg"))
        self.last = options.build / f"{kind}.last.json"
        self.before = options.build / f"{kind}.json"
        self.against = options.against or self.before   # to be read before keep_last()

    def keep_last(self):
        if self.run == self.before and self.run.exists():
            self.run.replace(self.last)


def lines_in(path):
    return json.loads(path.read_text()).get("lines", []) if path and path.exists() else []


def show(results, changes, options, chart_file):
    print("\n" + table.as_text(results["lines"], changes))
    print(table.summary(results["lines"], changes, whole=not (options.only or options.quick)))
    svg = chart.draw(results)
    chart_file.write_text(svg)
    if options.readme and question_table.asked_in(results["lines"]):
        for file, make in ((README, question_table.overview), (QUESTIONS, question_table.whole)):
            file.write_text(question_table.put(file.read_text(), results, make))
    if options.readme and not options.only:
        README.write_text(table.in_readme(README.read_text(), results, table.FIRST))
        TABLE.write_text(table.in_readme(TABLE.read_text(), results))
        SAMPLE.write_text(svg)


def main():
    options = read_options()
    for path in (options.against, options.source):
        if path and not path.exists():
            raise SystemExit(f"{path}: there is no such file")
    if options.source:
        results = json.loads(options.source.read_text())
        show(results, compare.changes(results["lines"], lines_in(options.against)), options,
             options.source.with_suffix(".svg"))
        return 0
    files = Files(options)
    earlier = lines_in(files.against)
    (options.build / "bench").mkdir(exist_ok=True)
    failures = []
    results = {"made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "machine": machine(),
               "calls": options.calls, "rounds": options.rounds, "seconds": options.seconds,
               "connections": options.connections, "lines": list(measure(options, failures)), "failures": failures}
    files.keep_last()
    files.run.write_text(json.dumps(results, indent=1) + "\n")
    show(results, compare.changes(results["lines"], earlier), options, files.chart)
    print("\n".join([f"wrote {files.run} and {files.chart}", *(f"FAILED: {each}" for each in failures)]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
