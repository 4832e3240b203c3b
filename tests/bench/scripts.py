"""What the scripts of the desk cost a read: the product with them beside the product without them, in turn."""
import collections
import contextlib
import pathlib
import shutil
import tempfile

import cases
import desk
import lines
import load

# `server`: "same" asks one server for the url without what is measured, "bare" a server whose scripts offer no actions.
Case = collections.namedtuple("Case", "name url without server", defaults=("same",))

PLAIN = "call?$top=100&$select=Ref,CallRef,ShortDescription,State,Priority,User,Analyst,Group,LoggedDate,DueDate"
LIST = "call?" + cases.query(top="100", orderby="LoggedDate desc", filter='State.Name != "New" && Breached == false',
                             select=cases.ROW.replace(",Breached", ",Analyst.Name,Group.Name"))
CASES = [Case("@extension over 100 rows", PLAIN + ",@AssignmentState", PLAIN),
         Case("@extension over 100 rows with names",
              LIST.replace("Group.Name", "Group.Name%2C%40AssignmentState"), LIST),
         Case("_actions of one record", "call/", "call/", "bare")]
NAMES = [case.name for case in CASES]


def without_actions(folder):
    """A copy of the scripts that knows no action but read, so that nothing is offered."""
    shutil.copytree(desk.ROOT / "scripts", folder)
    for each in folder.glob("*/actions/*.lua"):
        if each.name != "read.lua":
            each.unlink()
    return folder


def measure_case(case, servers, calls, options):
    """`servers`: {name: (server, token)}."""
    runs = ([], [])
    for _ in range(options.rounds):
        for (server, token), url, found in zip((servers["same"], servers[case.server]), (case.url, case.without), runs):
            found.append(load.get_often(server, cases.API + url, token, cases.keys_of(url, calls), options.seconds,
                                        options.connections))
    return lines.of_rates(case.name, *runs, "the same without", calls)


def measure(options):
    calls = desk.sample(options.calls)
    kept = desk.kept(options, calls)
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.build / "bench")))
        settings = {"same": [], "bare": ["--set", f"scripts={without_actions(place / 'scripts')}"]}
        servers = {}
        for name, more in settings.items():
            desk.copy_of(kept, place / name)
            server = load.start(stack, options.build / "callisto", place / name, *more)
            servers[name] = (server, server.sign_in(desk.LOGIN, desk.PASSWORD, desk.CLIENT))
        for case in CASES:
            if options.wants("scripts", case.name):
                yield measure_case(case, servers, calls, options)
