"""Reading, on a desk of each size: the product beside its floors, in turn and several times over."""
import contextlib
import math
import os
import pathlib
import re
import statistics
import tempfile
import time

import asks
import cases
import desk
import lines
import load

TAGGED = 200   # records that are asked for with their ETags
NAMES = [case.name for case in cases.READS]


def check_same(name, ours, theirs):
    """The floor must do the same work: the same answer, byte for byte."""
    if ours != theirs:
        raise SystemExit(f"{name}: the floor answers otherwise.\nproduct: {ours[:2000]}\nfloor:   {theirs[:2000]}")


def floor_command(options, folder, database, token, product, chosen, calls):
    """bench_floor with every case; whole answers of the product lie as files in `folder`."""
    command = [options.build / "tests/bench_floor", "--database", database, "--token", token,
               "--partition", desk.PARTITION]
    for case in chosen:
        url, file = cases.url_of(case, calls), folder / cases.slug(case.name)
        path = cases.API + cases.example(url)
        headers = {"If_None_Match": tags_of(product, path, token)} if case.tagged else {}
        file.write_bytes(load.raw_answer(product, path, token, **headers))
        command += ["--bare", f"{file.name}={file}"]
        if case.floor:
            command += ["--" + case.floor, f"{file.name}={url.rstrip('/')}"]
        if case.scan:
            command += ["--search", f"{file.name}-scan={case.scan}"]
    return command


def tags_of(server, path, token):
    head = load.raw_answer(server, path, token).partition(b"\r\n\r\n")[0]
    return re.search(rb"(?i)\r\netag: ([^\r]+)", head)[1].decode()


class Ways:
    """How a case is asked: {way: function of seconds and connections that measures it}."""

    def __init__(self, case, product, floor, token, calls):
        url, name = cases.url_of(case, calls), cases.slug(case.name)
        keys, header = cases.keys_of(url, calls), [f"Authorization: Bearer {token}"]
        self.product = (product, cases.API + cases.example(url), token)

        def measure(server, path, keys=0, tagged=False):
            if tagged:
                some = [cases.API + url + str(1 + number * desk.KEY_STEP) for number in range(min(TAGGED, keys))]
                script = asks.tags_script([(path if path else each, tags_of(product, each, token)) for each in some],
                                          token)
            else:
                script = asks.script([asks.Ask(path, keys=keys)], token) if keys else ""
            return lambda seconds, connections: load.wrk(server, seconds, connections, path=path if not script else "/",
                                                         headers=header, script=script)

        if case.tagged:
            self.ways = {"product": measure(product, "", keys, True), "bare": measure(floor, "/bare/" + name, keys, True)}
            return
        self.ways = {"product": measure(product, cases.API + url, keys)}
        if case.floor:
            own = cases.example(f"/{name}/") if keys else f"/{name}"
            check_same(case.name, product.get(cases.API + cases.example(url), token), floor.get(own, token))
            self.ways["floor"] = measure(floor, f"/{name}/" if keys else own, keys)
        if "bare" in case.of:
            self.ways["bare"] = measure(floor, "/bare/" + name)
        if case.scan:
            self.ways["scan"] = measure(floor, f"/{name}-scan")

    def extent(self, options):
        """Rounds and seconds of one measurement: fewer and longer ones where a single answer takes long."""
        server, path, token = self.product
        start = time.monotonic()
        server.get(path, token)
        took = time.monotonic() - start
        if took < 0.02:
            return options.rounds, options.seconds
        return min(3, options.rounds), max(options.seconds,
                                           math.ceil(3 * took * options.connections / os.cpu_count()))

    def measure(self, options):
        """{way: [figures of a round]}."""
        rounds, seconds = self.extent(options)
        runs = {way: [] for way in self.ways}
        for _ in range(rounds):
            for way, ask in self.ways.items():
                runs[way].append(ask(seconds, options.connections))
        return runs


OF = {"floor": "raw sqlite3 + RapidJSON", "bare": "bare CivetWeb", "scan": "a scan by raw sqlite3"}


def lines_of(case, runs, calls):
    """The case's own line, and further ones beside it."""
    ours, others = runs["product"], runs[case.of[0]]
    if case.scan:
        p99 = [run["p99_ms"] for run in ours]
        yield lines.line(case.name, statistics.median(p99), "ms", calls=calls, better="less", of=OF["floor"],
                         beside=statistics.median(run["p99_ms"] for run in others),
                         ratios=[one / other["p99_ms"] for one, other in zip(p99, others)])
        yield lines.of_rates(case.name + ", beside a scan", ours, runs["scan"], OF["scan"], calls)
        return
    yield lines.of_rates(case.name, ours, others, OF[case.of[0]], calls)
    if case.name == "get by id":
        figures = [lines.median_of(each)["cpu_us"] for each in (ours, others)]
        yield lines.line(case.name + ", CPU above the floor's", figures[0] - figures[1], "us", calls=calls,
                         better="less")


def measure_desk(calls, options):
    chosen = [case for case in cases.READS if options.wants("reads", case.name)]
    folder = desk.kept(options, calls)
    with contextlib.ExitStack() as stack:
        answers = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        product = load.start(stack, options.build / "callisto", folder)
        token = product.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT)
        floor = stack.enter_context(load.Server(
            floor_command(options, answers, folder / "desk.db", token, product, chosen, calls)))
        for case in chosen:
            yield from lines_of(case, Ways(case, product, floor, token, calls).measure(options), calls)


def measure(options):
    for calls in options.calls:
        yield from measure_desk(calls, options)
