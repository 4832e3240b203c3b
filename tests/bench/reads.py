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
import targets

TAGGED = 200   # records that are asked for with their ETags
NAMES = [case.name for case in cases.READS]
GET = "get by id"


def check_same(name, ours, theirs):
    """The floor must do the same work: the same answer, byte for byte, but for the signed link to the next page."""
    ours = re.sub(rb',"_links":\{"Next":\[\{"_self":"[^"]*"\}\]\}\}$', b"}", ours)
    if ours != theirs:
        raise SystemExit(f"{name}: the floor answers otherwise.\nproduct: {ours[:2000]}\nfloor:   {theirs[:2000]}")


def floor_command(options, folder, database, token, product, chosen, calls):
    """bench_floor with every case; whole answers of the product lie as files in `folder`."""
    command = ["nice", "-n", "4",  # as the threads that serve in the product
               options.build / "tests/bench_floor", "--database", database, "--token", token,
               "--partition", desk.PARTITION]
    for case in chosen:
        url, file = cases.url_of(case, calls), folder / cases.slug(case.name)
        path = cases.API + cases.example(url)
        headers = {"If_None_Match": tag_of(product, path, token)} if case.tagged else {}
        file.write_bytes(load.raw_answer(product, path, token, **headers))
        command += ["--bare", f"{file.name}={file}"]
        if case.floor:
            command += ["--" + case.floor, f"{file.name}={url.rstrip('/')}"]
        if case.scan:
            command += ["--search", f"{file.name}-scan={case.scan}"]
    return command


def tag_of(server, path, token):
    head = load.raw_answer(server, path, token).partition(b"\r\n\r\n")[0]
    return re.search(rb"(?i)\r\netag: ([^\r]+)", head)[1].decode()


def plain(server, path, token, keys=0):
    return lambda seconds, connections: load.get_often(server, path, token, keys, seconds, connections)


def tagged(server, tags, token):
    script = asks.tags_script(tags, token)
    return lambda seconds, connections: load.wrk(server, seconds, connections, script=script)


def tags_of_some(case, server, token, calls):
    """[(path, ETag)]."""
    keys = min(TAGGED, cases.keys_of(case.url, calls))
    paths = [f"{cases.API}{case.url}{1 + number * desk.KEY_STEP}" for number in range(keys)]
    return [(path, tag_of(server, path, token)) for path in paths]


def product_way(case, product, token, calls):
    """How the product is asked: a function of seconds and connections that measures it."""
    if case.tagged:
        return tagged(product, tags_of_some(case, product, token, calls), token)
    url = cases.url_of(case, calls)
    return plain(product, cases.API + url, token, cases.keys_of(url, calls))


def ways_of(case, product, floor, token, calls):
    """{way: such a function}, the product's first."""
    url, name = cases.url_of(case, calls), cases.slug(case.name)
    ways = {"product": product_way(case, product, token, calls)}
    if case.tagged:
        tags = tags_of_some(case, product, token, calls)
        ways["bare"] = tagged(floor, [("/bare/" + name, tag) for _, tag in tags], token)
    elif "bare" in case.of:
        ways["bare"] = plain(floor, "/bare/" + name, token)
    if case.floor:
        keys = cases.keys_of(url, calls)
        path = f"/{name}/" if keys else f"/{name}"
        check_same(case.name, product.get(cases.API + cases.example(url), token), floor.get(cases.example(path), token))
        ways["floor"] = plain(floor, path, token, keys)
    if case.scan:
        ways["scan"] = plain(floor, f"/{name}-scan", token)
    return ways


def extent(case, product, token, calls, options):
    """Rounds and seconds of one measurement: fewer and longer ones where a single answer takes long."""
    start = time.monotonic()
    product.get(cases.API + cases.example(cases.url_of(case, calls)), token)
    took = time.monotonic() - start
    if took < 0.02:
        return options.rounds, options.seconds
    return min(3, options.rounds), max(options.seconds, math.ceil(3 * took * options.connections / os.cpu_count()))


def measure_ways(ways, rounds, seconds, connections):
    """{way: [figures of a round]}."""
    runs = {way: [] for way in ways}
    for _ in range(rounds):
        for way, ask in ways.items():
            runs[way].append(ask(seconds, connections))
    return runs


def measure_case(case, product, floor, token, calls, options):
    ways = ways_of(case, product, floor, token, calls)
    if case.name == GET:
        ways["yardstick"] = lambda seconds, _: ways["floor"](seconds, targets.FLOOR_CONNECTIONS)
    return measure_ways(ways, *extent(case, product, token, calls, options), options.connections)


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
    if case.name == GET:
        figures = [lines.median_of(each)["cpu_us"] for each in (ours, others)]
        yield lines.line(case.name + ", CPU above the floor's", figures[0] - figures[1], "us", calls=calls,
                         better="less", slower=lines.slower(runs["yardstick"]))


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
            yield from lines_of(case, measure_case(case, product, floor, token, calls, options), calls)


def measure(options):
    for calls in options.calls:
        yield from measure_desk(calls, options)
