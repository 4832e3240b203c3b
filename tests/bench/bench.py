#!/usr/bin/env python3
"""./dev bench: the server beside its floor, in one run.

Each case is asked of the product, of the floor (the same SQL stepped by raw sqlite3 and written by RapidJSON behind a
bare CivetWeb callback) and of a bare CivetWeb callback that returns the same bytes, in turn and several times over;
figures are medians. Only ratios within one run mean anything: the same machine drifts by half within the hour."""
import argparse
import contextlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

import desk
import load
import postgres
import webhooks
import write

API = "/service.api/api/v1/"


def query(**options):
    return "&".join(f"${name}={urllib.parse.quote(value)}" for name, value in options.items())


SEARCH = "call?" + query(select="Ref,CallRef,ShortDescription,LoggedDate,DueDate,User.Name,Priority.Name,Breached",
                         filter='State.Name != "Closed 3" && Breached == false', orderby="LoggedDate desc", top="30")

# Name, url below the API, kind of floor, {what the ratio is to: least ratio that satisfies}.
CASES = [
    ("get by id", "call/", "record", {"floor": 0.6}),
    ("top-30 search", SEARCH, "search", {"floor": 0.7}),
    ("Contains", "call?" + query(select="Ref,ShortDescription", top="30",
                                 filter=f'ShortDescription.Contains("{desk.RARE_WORD}")'), "search", {}),
    ("$count", "call?" + query(count="true"), "search", {}),
    ("metadata", "call/$metadata", None, {"bare": 0.8}),
]
PLAN_TARGETS = {"uncached_us": 40, "cached_us": 2}


def slug(name):
    return name.strip("$").replace(" ", "-")


def example(url):
    """One url of the case."""
    return url + "1" if url.endswith("/") else url


def check_same(name, ours, theirs):
    """The floor must do the same work: the same answer, byte for byte."""
    if ours != theirs:
        raise SystemExit(f"{name}: the floor answers otherwise.\nproduct: {ours[:2000]}\nfloor:   {theirs[:2000]}")


def floor_command(folder, build, database, token, product):
    command = [build / "tests/bench_floor", "--database", database, "--token", token, "--partition", desk.PARTITION]
    for name, url, kind, _ in CASES:
        answer = folder / slug(name)
        answer.write_bytes(product.get(API + example(url), token))
        command += ["--bare", f"{slug(name)}={answer}"]
        if kind:
            command += ["--" + kind, f"{slug(name)}={url.rstrip('/')}"]
    return command


def median_ratio(ours, others):
    return statistics.median(one["rate"] / other["rate"] for one, other in zip(ours, others))


def extent(server, path, token, options):
    """Rounds and seconds of one measurement: fewer and longer ones where a single answer takes long."""
    start = time.monotonic()
    server.get(path, token)
    took = time.monotonic() - start
    if took < 0.02:
        return options.rounds, options.seconds
    return min(3, options.rounds), max(options.seconds, math.ceil(3 * took * options.connections / os.cpu_count()))


def measure_case(case, product, floor, token, calls, options):
    name, url, kind, targets = case
    keys = calls // desk.KEY_STEP if url.endswith("/") else 0
    ways = {"product": (product, API + url, keys), "bare": (floor, "/bare/" + slug(name), 0)}
    if kind:
        path = "/" + slug(name) + ("/" if keys else "")
        ways["floor"] = (floor, path, keys)
        check_same(name, product.get(API + example(url), token), floor.get(example(path), token))
    runs = {way: [] for way in ways}
    rounds, seconds = extent(product, API + example(url), token, options)
    for _ in range(rounds):
        for way, (server, path, ask_keys) in ways.items():
            runs[way].append(load.measure(server, path, ask_keys, token, seconds, options.connections))
    result = {"case": name, "calls": calls}
    for way, measured in runs.items():
        result[way] = {key: statistics.median(run[key] for run in measured) for key in measured[0]}
    result["ratios"] = {way: median_ratio(runs["product"], runs[way]) for way in runs if way != "product"}
    result["targets"] = targets
    result["met"] = all(result["ratios"][way] >= least for way, least in targets.items())
    return result


def measure_desk(calls, options):
    program = options.build / "callisto"
    folder = desk.kept(program, options.build / "bench" / str(calls), calls)
    with contextlib.ExitStack() as stack:
        answers = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        product = stack.enter_context(load.Server([program, "--data", folder, "--set", "oauth.access_seconds=7200",
                                                   "--set", "log.level=error", "serve", "--listen", "127.0.0.1:0"]))
        token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        floor = stack.enter_context(load.Server(
            floor_command(answers, options.build, folder / "desk.db", token, product)))
        for case in CASES:
            result = measure_case(case, product, floor, token, calls, options)
            print_row(result)
            yield result


# Title and width; a negative width stands for text, which is aligned to the left.
COLUMNS = [("calls", 9), ("  case", -17), ("product/s", 10), ("floor/s", 10), ("bare/s", 10), ("to floor", 9),
           ("to bare", 9), ("CPU", 12), ("floor CPU", 12), ("p50 ms", 9), ("p99 ms", 9), ("  target", -20)]


def print_line(cells):
    print("".join(cell.rjust(width) if width > 0 else cell.ljust(-width)
                  for cell, (_, width) in zip(cells, COLUMNS)).rstrip(), flush=True)


def verdict(result):
    return ", ".join(f"{'met' if result['ratios'][way] >= least else 'MISSED'}: {least:.0%} of {way}"
                     for way, least in result["targets"].items())


def print_row(result):
    rates = [f"{result[way]['rate']:,.0f}" if way in result else "-" for way in ("product", "floor", "bare")]
    ratios = [f"{result['ratios'][way]:.0%}" if way in result else "-" for way in ("floor", "bare")]
    cpu = [f"{result[way]['cpu_us']:,.0f} us" if way in result else "-" for way in ("product", "floor")]
    latency = [f"{result['product'][key]:.2f}" for key in ("p50_ms", "p99_ms")]
    print_line([f"{result['calls']:,}", "  " + result["case"], *rates, *ratios, *cpu, *latency, "  " + verdict(result)])


def measure_plan(options):
    plan = json.loads(subprocess.check_output([options.build / "tests/bench_plan", SEARCH], text=True))
    for key, most in PLAN_TARGETS.items():
        print(f"plan of the search, {key.removesuffix('_us')}: {plan[key]} us "
              f"({'met' if plan[key] <= most else 'MISSED'}: at most {most} us)")
    return {**plan, "targets": PLAN_TARGETS, "met": all(plan[key] <= most for key, most in PLAN_TARGETS.items())}


# Times at most, rates at least; a login may cost 1.2 times the hash that it must make.
SIGN_IN_TARGETS = {"check_us": 5, "refreshes": 2000, "login_cost": 1.2}


def measure_sign_in(options):
    program = options.build / "tests/bench_sign_in"
    figures = json.loads(subprocess.check_output([program, str(options.seconds)], text=True))
    figures["login_cost"] = round(figures["hashes"] / figures["logins"], 3)
    met = {"check_us": figures["check_us"] <= SIGN_IN_TARGETS["check_us"],
           "refreshes": figures["refreshes"] >= SIGN_IN_TARGETS["refreshes"],
           "login_cost": figures["login_cost"] <= SIGN_IN_TARGETS["login_cost"]}
    for key, text in (("check_us", "token check from memory, us"), ("refreshes", "refreshes a second"),
                      ("login_cost", "cost of a login, in password hashes")):
        print(f"{text}: {figures[key]:,} ({'met' if met[key] else 'MISSED'}: {SIGN_IN_TARGETS[key]:,})")
    return {**figures, "targets": SIGN_IN_TARGETS, "met": all(met.values())}


def read_options():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="100,000 calls only, without the desk of 1,000,000")
    parser.add_argument("--calls", type=int, nargs="+", help="sizes of the desks")
    parser.add_argument("--rounds", type=int, default=9, help="times that each is measured (default 9)")
    parser.add_argument("--seconds", type=int, default=1, help="of each measurement (default 1)")
    parser.add_argument("--connections", type=int, default=8, help="that wrk keeps open (default 8)")
    parser.add_argument("--build", type=pathlib.Path, default=desk.ROOT / "build", help="build folder (default build)")
    parser.add_argument("--output", type=pathlib.Path, help="JSON of all figures (default BUILD/bench.json)")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.calls = options.calls or ([100_000] if options.quick else [100_000, 1_000_000])
    return options


def main():
    options = read_options()
    results = {"connections": options.connections, "rounds": options.rounds, "plan": measure_plan(options),
               "sign_in": measure_sign_in(options), "cases": []}
    print_line([title for title, _ in COLUMNS])
    for calls in options.calls:
        results["cases"] += measure_desk(calls, options)
    results.update(write.measure(options))
    results["webhooks"] = webhooks.measure(options)
    results["postgres"] = postgres.measure(options)
    output = options.output or options.build / "bench.json"
    output.write_text(json.dumps(results, indent=1) + "\n")
    print(f"wrote {output}")


if __name__ == "__main__":
    sys.exit(main())
