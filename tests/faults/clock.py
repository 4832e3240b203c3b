"""Clocks that jump while a server runs, by libfaketime: fresh tokens hold, old ones end, deliveries are not tried more
often than they should be, and nothing spins."""
import glob
import pathlib
import time

from server import API, Server, check, until

HOUR, TEN_YEARS = 3600, 315_360_000
JUMPS = [0, HOUR, 0, -HOUR, TEN_YEARS, 0, -TEN_YEARS, 0]
MOST_ATTEMPTS = 20
QUIET_SECONDS, MOST_CPU = 1, 0.8


def library():
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


class Clock:
    def __init__(self, path):
        self.path = path
        self.set(0)

    def set(self, seconds):
        self.path.write_text(f"{seconds:+d}\n")

    def environment(self):
        return {"LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": str(self.path), "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def check_works(server, what):
    """Signing in, reading and writing, and no thread that spins."""
    check(server.healthy(), f"{what}: /healthz does not answer")
    token = server.token()
    for method, path, body in (("GET", "call?$top=1", None), ("POST", "incident", {"ShortDescription": what})):
        answer = server.send(method, API + path, body, token)
        check(answer and answer.status == 200, f"{what}: a fresh token does not hold: {answer and answer.body[:300]}")
    before = server.figures()["cpu"]
    time.sleep(QUIET_SECONDS)   # nothing is waited for: this is the span that is measured
    spent = server.figures()["cpu"] - before
    check(spent < MOST_CPU, f"{what}: {spent:.1f} s of CPU in {QUIET_SECONDS} s without a request")
    return spent


def check_old_tokens(server, tokens, clock):
    """An hour ahead the access token has ended and the refresh token holds; ten years ahead that has ended too."""
    clock.set(HOUR)
    answer = server.get("call?$top=1", tokens["access_token"])
    check(answer and answer.status == 401, f"an access token of an hour ago: {answer and answer.status}")
    answer = server.form(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    check(answer and answer.status == 200, f"a refresh token of an hour ago: {answer and answer.body[:300]}")
    clock.set(TEN_YEARS)
    answer = server.form(grant_type="refresh_token", refresh_token=answer.json()["refresh_token"])
    check(answer and answer.status in (400, 401), f"a refresh token of ten years ago: {answer and answer.status} {answer and answer.body[:300]}")


def attempts(server, webhook):
    answer = server.get(f"webhook/{webhook}/delivery?$top=1000", server.token("admin"))
    check(answer and answer.status == 200, f"deliveries cannot be read: {answer and answer.body[:300]}")
    return [(each["Attempts"] or 0, each["Status"]) for each in answer.json()["results"]]


def run(context):
    if not library():
        return "skipped: libfaketime is not installed"
    clock = Clock(pathlib.Path(context.folder) / "clock")
    with Server(context.program, context.folder / "desk", "--set", "webhooks.time_scale=0.001",
                environment=clock.environment()) as server:
        if not server.address:
            return "skipped: the server does not start below libfaketime: " + server.log()[-200:]
        webhook = server.send("POST", API + "webhook", {"PayloadUrl": "http://127.0.0.1:9/", "Secret": "some-secret-of-ours",
                                                        "CoreEntityType": "Call"}, server.token("admin")).json()["Ref"]
        tokens = server.tokens()
        check_old_tokens(server, tokens, clock)
        clock.set(0)
        ahead = 0
        most = 0.0
        for jump in JUMPS * (1 if context.factor <= 1 else 3):
            clock.set(jump)
            most = max(most, check_works(server, f"clock at {jump:+d} s"))
            ahead = server.token() if jump == TEN_YEARS else ahead
        until(lambda: all(status in "SFC" for _, status in attempts(server, webhook)), "deliveries that end")
        tried = [count for count, _ in attempts(server, webhook)]
        check(tried and max(tried) <= MOST_ATTEMPTS, f"a delivery was tried {max(tried)} times")
        answer = server.get("call?$top=1", ahead)
        lives = answer and answer.status == 200
        return (f"{len(JUMPS)} jumps of up to ten years; {most:.2f} s of CPU at most in {QUIET_SECONDS} quiet s; "
                f"{len(tried)} deliveries of {max(tried)} attempts at most; a token that was given out ten years ahead "
                f"{'outlives' if lives else 'does not outlive'} the clock's correction")
