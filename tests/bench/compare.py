"""This run beside an earlier one. Only ratios are compared, never absolute figures: the machine drifts between runs,
and what a line was measured beside drifts with it. A line without a ratio is judged by its target alone.

A ratio is marked WORSE when its median is worse than the earlier median by more than the spread of this run's rounds,
from the lowest to the highest ratio of one round. One round has no spread; then nothing is marked."""
import collections

import lines

# Of one line. `part`: the ratio's relative change, 0.05 for 5 % more.
Change = collections.namedtuple("Change", "before part worse")


def key_of(each):
    return each["case"], each["calls"]


def is_worse(each, before):
    now, ratios = lines.ratio_of(each), each["ratios"]
    loss = before - now if each["better"] == "more" else now - before
    return len(ratios) > 1 and loss > max(ratios) - min(ratios)


def changes(run, earlier):
    """{key of the line: Change} where both runs have a ratio."""
    before = {key_of(each): lines.ratio_of(each) for each in earlier}
    found = {}
    for each in run:
        then, now = before.get(key_of(each)), lines.ratio_of(each)
        if then and now is not None:
            found[key_of(each)] = Change(then, now / then - 1, is_worse(each, then))
    return found


def text(change):
    return "" if change is None else f"{change.part * 100:+.0f} %" + (" WORSE" if change.worse else "")
