"""The chart of a run of ./dev bench, as an SVG that needs nothing else: each case as a bar beside what it was compared
with (100 %), or beside its limit, the target as a tick; and how times grow with the desk. It follows the reader's light
or dark mode. Figures with neither a target nor something beside them are in the table alone."""
import itertools
import math
from xml.sax.saxutils import escape

import lines
import table
import targets

WIDTH, MARGIN, ROW = 1000, 28, 22
BARS, FULL, MOST = 340, 230, 1.3   # where bars begin, how long 100 % is, and where they are cut off
FIGURES = BARS + FULL * MOST + 16
GROWTH, GROWTH_HEIGHT, GROWTH_LEAST, GROWTH_MOST = (BARS + 30, BARS + FULL * MOST - 30), 110, 0.7, 1.5
DASHES = ("none", "7 4", "2 4")   # of the curves, one after the other

STYLE = """
svg { --ink: #1c2430; --soft: #5c6673; --line: #d5dae1; --page: #ffffff; --met: #3b76b0; --missed: #c8702a;
  --plain: #a3b1c2; background: var(--page); }
@media (prefers-color-scheme: dark) { svg { --ink: #e4e8ee; --soft: #98a3b1; --line: #323b47; --page: #12171e;
  --met: #5b9bd8; --missed: #e0904c; --plain: #5a6a7d; } }
text { font: 13px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: var(--ink);
  font-variant-numeric: tabular-nums; }
.head { font-size: 20px; font-weight: 600; } .panel { font-size: 15px; font-weight: 600; }
.soft { fill: var(--soft); font-size: 12px; } .strong { font-weight: 600; } .page { fill: var(--page); }
.met { fill: var(--met); } .missed { fill: var(--missed); } .plain { fill: var(--plain); }
.line { stroke: var(--line); } .tick { stroke: var(--ink); stroke-width: 2; }
.cut { stroke: var(--page); stroke-width: 3; }
.limit { stroke: var(--soft); stroke-dasharray: 4 3; } .curve { fill: none; stroke-width: 2; }
.curve.met, .dot.met { stroke: var(--met); } .curve.missed, .dot.missed { stroke: var(--missed); }
.curve.plain, .dot.plain { stroke: var(--plain); }
"""


class Sheet:
    """Elements from top to bottom; `y` is where the next one goes."""

    def __init__(self):
        self.parts, self.y = [], MARGIN

    def add(self, name, text=None, **attributes):
        written = "".join(f' {key.rstrip("_").replace("_", "-")}="{rounded(value)}"'
                          for key, value in attributes.items())
        self.parts.append(f"<{name}{written}/>" if text is None else f"<{name}{written}>{escape(text)}</{name}>")

    def text(self, x, text, class_="", anchor="start", dy=0):
        self.add("text", text, x=x, y=self.y + dy, class_=class_, text_anchor=anchor)

    def vertical(self, x, top, bottom, class_):
        self.add("line", x1=x, x2=x, y1=top, y2=bottom, class_=class_)


def rounded(value):
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else escape(str(value), {'"': "&quot;"})


def kind_of(each):
    return {None: "plain", True: "met", False: "missed"}[lines.is_met(each)]


def draw_head(sheet, results):
    sheet.y += 10
    sheet.text(MARGIN, "How fast Callisto is", "head")
    sheet.y += 22
    sheet.text(MARGIN, f"{results['machine']}, {results['made'][:10]}; medians of {results['rounds']} rounds, each case "
               "on the largest desk of those measured", "soft")
    sheet.y += 24
    x = MARGIN
    for kind, text in (("met", "as wanted"), ("missed", "not as wanted"), ("plain", "nothing is wanted of it")):
        sheet.add("rect", x=x, y=sheet.y - 10, width=12, height=12, rx=2, class_=kind)
        sheet.text(x + 18, text, "soft")
        x += 36 + 6.5 * len(text)
    sheet.vertical(x + 4, sheet.y - 11, sheet.y + 3, "tick")
    sheet.text(x + 14, "what is wanted", "soft")


def draw_panel_head(sheet, title, hundred):
    sheet.y += 44
    sheet.text(MARGIN, title, "panel")
    sheet.y += 20
    sheet.text(BARS + FULL, hundred, "soft", "middle")
    sheet.y += 6


def draw_bar(sheet, each, part, target, figures, remark):
    """One row. `part`: how much of 100 %; `target`: where the tick goes, None: none."""
    sheet.parts.append("<g><title>" + escape(f"{each['case']}: {figures}, {remark}") + "</title>")
    sheet.text(BARS - 12, each["case"], anchor="end", dy=15)
    length = FULL * min(part, MOST)
    sheet.add("rect", x=BARS, y=sheet.y + 4, width=max(1.0, length), height=ROW - 8, rx=2, class_=kind_of(each))
    if part > MOST:   # cut off
        sheet.add("path", d=f"M{BARS + length - 16:.1f} {sheet.y + ROW - 2}l6 {4 - ROW}", class_="cut")
    if target is not None and target <= MOST:
        sheet.vertical(BARS + FULL * target, sheet.y + 1, sheet.y + ROW - 1, "tick")
    sheet.text(FIGURES, figures, "strong", dy=15)
    sheet.text(FIGURES + 62, remark, "soft", dy=15)
    sheet.parts.append("</g>")
    sheet.y += ROW


def draw_group(sheet, draw_rows):
    """The line of 100 % is drawn behind the rows, as long as they are."""
    top, place = sheet.y, len(sheet.parts)
    draw_rows()
    behind = Sheet()
    behind.vertical(BARS, top, sheet.y, "line")
    behind.vertical(BARS + FULL, top, sheet.y, "limit")
    sheet.parts[place:place] = behind.parts


def draw_shares(sheet, shares):
    draw_panel_head(sheet, "Beside what it is compared with: more is better", "100 %")
    groups = {}
    for each in shares:
        groups.setdefault(each["of"], []).append(each)

    def rows():
        for index, (of, members) in enumerate(groups.items()):
            sheet.y += 8 if index else 0
            sheet.text(MARGIN, "beside " + of, "soft", dy=14)
            sheet.y += 20
            for each in members:
                target, ratio = lines.target_of(each), lines.ratio_of(each)
                unit = each["unit"]
                remark = f"{lines.figure(each['ours'], unit)} of {lines.figure(each['beside'], unit)}"
                if target and target.bound > MOST:
                    remark += f", wanted {lines.target_text(each)}"
                draw_bar(sheet, each, ratio, target and target.bound, lines.ratio_text(ratio), remark)
    draw_group(sheet, rows)


def draw_limits(sheet, limits):
    draw_panel_head(sheet, "Beside a limit: less is better", "limit")

    def rows():
        for each in limits:
            part, unit = each["ours"] / lines.target_of(each).bound, each["unit"]
            draw_bar(sheet, each, part, 1, f"{part * 100:.0f} %" if part < 10 else f"{part:,.0f} x",
                     f"{lines.figure(each['ours'], unit)}, limit {lines.target_text(each).removeprefix('≤ ')}")
    draw_group(sheet, rows)


def curves_of(run):
    """{case: [(calls, growth)]}, from the smallest desk on, where it is 1."""
    found = {}
    for each in run:
        smallest = int(each["of"].split()[0].replace(",", ""))
        found.setdefault(each["case"], [(smallest, 1.0)]).append((each["calls"], lines.ratio_of(each)))
    return found


def apart(places, gap):
    """Labels moved down as far as they need to be to stand apart."""
    moved = {}
    for name, y in sorted(places.items(), key=lambda item: item[1]):
        moved[name] = max(y, max(moved.values(), default=y - gap) + gap)
    return moved


def limit_of(run):
    """The same for all that have one."""
    return next((targets.TARGETS[each["case"]].bound for each in run if each["case"] in targets.TARGETS), None)


def draw_growth(sheet, run):
    curves, last = curves_of(run), {each["case"]: each for each in table.largest(run)}
    sizes = sorted({calls for points in curves.values() for calls, _ in points})
    sheet.y += 44
    sheet.text(MARGIN, "Time of a request as the desk grows: flat is better", "panel")
    bottom = sheet.y + 24 + GROWTH_HEIGHT

    def x_of(calls):
        return GROWTH[0] + (GROWTH[1] - GROWTH[0]) * math.log(calls / sizes[0]) / math.log(sizes[-1] / sizes[0])

    def y_of(growth):
        inside = min(max(growth, GROWTH_LEAST), GROWTH_MOST)
        return bottom - GROWTH_HEIGHT * (inside - GROWTH_LEAST) / (GROWTH_MOST - GROWTH_LEAST)

    marks = [(1, f"as with {sizes[0]:,} calls", "line"), (limit_of(run), "limit", "limit")]
    for growth, text, kind in marks[:2 if limit_of(run) else 1]:
        sheet.add("line", x1=GROWTH[0], x2=GROWTH[1], y1=y_of(growth), y2=y_of(growth), class_=kind)
        sheet.add("text", f"{text}: {growth:g} x", x=GROWTH[0] - 42, y=y_of(growth) + 4, class_="soft",
                  text_anchor="end")
    for calls in sizes:
        sheet.add("text", f"{calls:,} calls", x=x_of(calls), y=bottom + 28, class_="soft", text_anchor="middle")
    labels = apart({name: y_of(points[-1][1]) for name, points in curves.items()}, 17)
    for dash, (name, points) in zip(itertools.cycle(DASHES), curves.items()):
        kind = kind_of(last[name])
        path = "L".join(f"{x_of(calls):.1f} {y_of(growth):.1f}" for calls, growth in points)
        sheet.add("path", d="M" + path, class_="curve " + kind, stroke_dasharray=dash)
        for calls, growth in points:
            sheet.add("circle", cx=x_of(calls), cy=y_of(growth), r=3.5, class_=f"dot {kind}")
        sheet.add("text", f"{lines.ratio_text(points[-1][1], 'less')}  {name.removesuffix(', growth')}",
                  x=GROWTH[1] + 14, y=labels[name] + 4)
    sheet.y = bottom + 32


def panels_of(run):
    """Lines of the three panels: shares, limits, growth of all sizes."""
    growing = [each for each in run if each["case"].endswith(", growth")]
    shares, limits = [], []
    for each in table.largest(run):
        target = lines.target_of(each)
        if each in growing:
            continue
        if target and target.judges == "figure":
            limits.append(each)
        elif each["ratios"] and each["better"] == "more":
            shares.append(each)
    return shares, limits, growing


def draw(results):
    """The text of the SVG."""
    sheet = Sheet()
    shares, limits, growing = panels_of(results["lines"])
    draw_head(sheet, results)
    for run, draw_one in ((shares, draw_shares), (limits, draw_limits), (growing, draw_growth)):
        if run:
            draw_one(sheet, run)
    height = math.ceil(sheet.y + MARGIN)
    summary = table.summary(table.largest(results["lines"]), {}, whole=False)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'role="img" aria-labelledby="title desc">\n<title id="title">How fast Callisto is</title>\n'
            f'<desc id="desc">Bars of each case beside what it was compared with, or its limit: {escape(summary)}. '
            f"The table in README.md has the same figures.</desc>\n<style>{STYLE}</style>\n"
            f'<rect width="{WIDTH}" height="{height}" class="page"/>\n' + "\n".join(sheet.parts) + "\n</svg>\n")
