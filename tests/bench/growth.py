"""What a large desk costs: the same request on desks of all sizes in turn, each served by a process of its own. The
ratio is the time of one request to that on the smallest desk."""
import contextlib

import cases
import desk
import lines
import load
import reads

NAMES = [case.name for case in cases.READS if case.grows]


def measure_case(case, servers, options):
    """`servers`: {calls: (server, token)}."""
    ways = {calls: reads.product_way(case, server, token, calls) for calls, (server, token) in servers.items()}
    runs = {calls: [] for calls in ways}
    for _ in range(options.rounds):
        for calls, ask in ways.items():
            runs[calls].append(ask(options.seconds, options.connections))
    smallest = min(runs)
    for calls in sorted(runs)[1:]:
        yield lines.of_rates(case.name + ", growth", runs[calls], runs[smallest], f"{smallest:,} calls", calls, "less",
                             lambda one, other: other["rate"] / one["rate"])


def measure(options):
    if len(options.calls) < 2:
        return
    with contextlib.ExitStack() as stack:
        servers = {}
        for calls in options.calls:
            server = load.start(stack, options.build / "callisto", desk.kept(options, calls))
            servers[calls] = (server, server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT))
        for case in cases.READS:
            if case.grows and options.wants("growth", case.name):
                yield from measure_case(case, servers, options)
