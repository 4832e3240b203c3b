"""What single works cost without a server around them, as programs of the bench tell: understanding a query (plan.cc),
signing in (sign_in.cc) and working time (calendar.cc)."""
import json
import subprocess

import cases
import lines

PLANS = ["plan of a new query", "plan of a known query"]
SIGN_IN = ["token check", "refresh, 32 clients", "login"]
CALENDARS = {"working time, 4 hours added": "add_us", "working time, 10 years added": "add_years_us",
             "working time between, 4 hours": "between_us", "working time between, 10 years": "between_years_us"}
NAMES = [*PLANS, *SIGN_IN, *CALENDARS]


def run(options, name, *arguments):
    return json.loads(subprocess.check_output([options.build / "tests" / name, *arguments], text=True))


def measure(options):
    if any(options.wants("programs", name) for name in PLANS):
        plan = run(options, "bench_plan", cases.SEARCH)
        yield lines.line("plan of a new query", plan["uncached_us"], "us", better="less")
        yield lines.line("plan of a known query", plan["cached_us"], "us", better="less")
    if any(options.wants("programs", name) for name in SIGN_IN):
        figures = run(options, "bench_sign_in", str(options.seconds))
        yield lines.line("token check", figures["check_us"], "us", better="less")
        yield lines.line("refresh, 32 clients", 1e6 / figures["refreshes"], "us", better="less")
        yield lines.line("login", figures["logins"], beside=figures["hashes"], of="password hashes alone",
                         ratios=figures["ratios"])
    wanted = [name for name in CALENDARS if options.wants("programs", name)]
    if wanted:
        figures = run(options, "bench_calendar")
        for name in wanted:
            yield lines.line(name, figures[CALENDARS[name]], "us", better="less")
