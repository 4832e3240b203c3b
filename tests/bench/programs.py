"""What single works cost without a server around them, as programs of the bench tell: understanding a query (plan.cc)
and signing in (sign_in.cc)."""
import json
import subprocess

import cases
import lines

NAMES = ["plan of a new query", "plan of a known query", "token check", "refresh, 32 clients", "login"]


def run(options, name, *arguments):
    return json.loads(subprocess.check_output([options.build / "tests" / name, *arguments], text=True))


def measure(options):
    if any(options.wants("programs", name) for name in NAMES[:2]):
        plan = run(options, "bench_plan", cases.SEARCH)
        yield lines.line("plan of a new query", plan["uncached_us"], "us", better="less")
        yield lines.line("plan of a known query", plan["cached_us"], "us", better="less")
    if any(options.wants("programs", name) for name in NAMES[2:]):
        figures = run(options, "bench_sign_in", str(options.seconds))
        yield lines.line("token check", figures["check_us"], "us", better="less")
        yield lines.line("refresh, 32 clients", 1e6 / figures["refreshes"], "us", better="less")
        yield lines.line("login", figures["logins"], beside=figures["hashes"], of="password hashes alone",
                         ratios=figures["ratios"])
