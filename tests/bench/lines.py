"""What ./dev bench measures, as lines of one table. A line is a dict that goes into the JSON as it is:

case, calls     what was measured, on a desk of how many calls (None: on one that does not matter)
ours, unit      the product's figure: a rate ("/s"), a time ("us", "ms", "s") or a size ("MiB")
beside, of      what was measured in turn with it, in the same unit, and what that was; None: nothing was
ratios          ours to that, one for each round, never across rounds; the line's ratio is their median
better          "more" or "less"
slower          how many times as long the floor's get by id took in this run as on the machine of the first targets (targets.py)
p50_ms, ...     more of the product's figures

What a line should reach stands in targets.py by its case."""
import statistics

import targets


def line(case, ours, unit="/s", *, calls=None, beside=None, of=None, ratios=(), better="more", **figures):
    return {"case": case, "calls": calls, "ours": ours, "unit": unit, "beside": beside, "of": of,
            "ratios": list(ratios), "better": better, **figures}


def median_of(runs):
    """Of dicts of figures: one dict of medians."""
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def of_rates(case, ours, others, of, calls=None, better="more", ratio=lambda one, other: one["rate"] / other["rate"]):
    """A line of two lists of load.py's figures, measured in turn."""
    figures = median_of(ours)
    return line(case, figures.pop("rate"), calls=calls, beside=statistics.median(run["rate"] for run in others), of=of,
                ratios=[ratio(one, other) for one, other in zip(ours, others)], better=better, **figures)


def ratio_of(each):
    return statistics.median(each["ratios"]) if each["ratios"] else None


def target_of(each):
    """None where nothing is wanted of the line, as of `50 times a scan` on a small desk."""
    target = targets.TARGETS.get(each["case"])
    return target if target and (each["calls"] or 0) >= target.calls else None


def bound_of(each):
    target = target_of(each)
    return target.bound * (each["slower"] if target.scaled else 1)


def is_met(each):
    """None where nothing is wanted."""
    target = target_of(each)
    if target is None:
        return None
    value = each["ours"] if target.judges == "figure" else ratio_of(each)
    return value >= bound_of(each) if each["better"] == "more" else value <= bound_of(each)


def slower(floor_runs):
    """Of the floor's get by id with targets.FLOOR_CONNECTIONS."""
    return median_of(floor_runs)["cpu_us"] / targets.FLOOR_US


def number(value):
    """Three digits that count, as a reader wants them: 31,204, 12.3, 0.214."""
    if value == 0 or abs(value) >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}" if abs(value) >= 0.9995 else f"{value:.3f}"


def figure(value, unit):
    return "" if value is None else number(value) + ("" if unit == "/s" else " ") + unit


def ratio_text(ratio, better="more"):
    """A share in percent, a multiple as such."""
    if ratio is None:
        return ""
    if better == "less" or ratio >= 3:
        return f"{ratio:,.0f} x" if ratio >= 20 else f"{ratio:.2f} x" if ratio < 10 else f"{ratio:.1f} x"
    return f"{ratio * 100:.0f} %"


def target_text(each):
    target = target_of(each)
    if target is None:
        return ""
    sign = "≥ " if each["better"] == "more" else "≤ "
    if target.scaled:
        return sign + f"{figure(bound_of(each), each['unit'])} ({target.bound:g} x {each['slower']:.1f})"
    if target.judges == "figure":
        return sign + f"{target.bound:,g}" + ("" if each["unit"] == "/s" else " ") + each["unit"]
    if each["better"] == "less" or target.bound >= 1.5:
        return sign + f"{target.bound:g} x"
    return sign + f"{target.bound * 100:.3g} %"


def verdict(each):
    return {None: "", True: "met", False: "MISSED"}[is_met(each)]
