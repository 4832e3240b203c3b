"""A share of one core for a server, as if it ran on a small machine of its own: a control group of Linux, of version 2 or
1, which needs root."""
import contextlib
import os
import pathlib

PERIOD_US = 10_000
PLACES = [   # where groups are made, what has to be there, the file of the limit, and how it is spelled
    ("/sys/fs/cgroup", "cgroup.controllers", "cpu.max", "{quota} {period}"),
    ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "cpu.cfs_quota_us", "{quota}"),
]


class Share:
    def __init__(self, group, file, limit):
        self.group = group
        group.mkdir()
        try:
            if (group / "cpu.cfs_period_us").exists():
                (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / file).write_text(limit)
        except OSError:
            group.rmdir()
            raise

    def take(self, process):
        (self.group / "cgroup.procs").write_text(str(process))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Whoever was in it has ended."""
        self.group.rmdir()


def shares(stack, count, part):
    """So many groups, each with `part` of a core, until the stack is closed; none where the system has no such groups or
    refuses them."""
    with contextlib.suppress(OSError):
        for place, mark, file, limit in PLACES:
            root = pathlib.Path(place)
            if not (root / mark).exists():
                continue
            if mark == "cgroup.controllers":
                (root / "cgroup.subtree_control").write_text("+cpu")
            text = limit.format(quota=round(part * PERIOD_US), period=PERIOD_US)
            return [stack.enter_context(Share(root / f"callisto-bench-{os.getpid()}-{number}", file, text))
                    for number in range(count)]
    return []
