"""What a person waits for the first rows of the workbench's search, in Chromium with nothing kept: over loopback, and
with a quarter of a processor, 1.6 Mbit/s and 150 ms to the server."""
import contextlib
import json
import shutil
import statistics
import subprocess

import desk
import lines
import load

COLD, SLOW = "search page, nothing kept", "search page, a slow phone"
NAMES = [COLD, SLOW]
SCRIPT = "workbench_time.mjs"


def measure(options):
    npm = options.build / "npm"
    if not (npm / "node_modules/playwright-core").exists():
        print("  there is no build/npm/node_modules, which ./dev test makes: the workbench is left out")
        return
    (npm / "bench").mkdir(exist_ok=True)
    shutil.copy(desk.ROOT / "tests/bench" / SCRIPT, npm / "bench")
    for calls in options.calls:
        with contextlib.ExitStack() as stack:
            server = load.start(stack, options.build / "callisto", desk.kept(options, calls))
            told = subprocess.run(["node", npm / "bench" / SCRIPT, server.address, desk.LOGIN, desk.PASSWORD, str(options.rounds)],
                                  text=True, capture_output=True)
        if told.returncode:
            raise SystemExit(told.stderr)
        times = json.loads(told.stdout)
        for case, kind in ((COLD, "cold"), (SLOW, "slow")):
            yield lines.line(case, statistics.median(times[kind]), "ms", calls=calls, better="less")
