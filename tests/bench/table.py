"""The table of ./dev bench: as text at the end of a run, as Markdown in tests/bench/README.md, a few lines in README.md."""
import compare
import lines
import targets

BEGIN, END = "<!-- ./dev bench --readme writes from here -->", "<!-- to here -->"
# What README.md shows of it.
FIRST = ("get by id", "top-30 search", "Contains, a rare word", "create, 32 clients", "reads beside 2,000 writes/s",
         "event to receiver, p99", "memory after start with samples", "get by id, PostgreSQL")

# Title and how a cell is made of a line and its change.
COLUMNS = [
    ("calls", lambda each, _: f"{each['calls']:,}" if each["calls"] else ""),
    ("case", lambda each, _: each["case"]),
    ("ours", lambda each, _: lines.figure(each["ours"], each["unit"])),
    ("beside", lambda each, _: lines.figure(each["beside"], each["unit"])),
    ("of", lambda each, _: each["of"] or ""),
    ("ratio", lambda each, _: lines.ratio_text(lines.ratio_of(each), each["better"])),
    ("p50 ms", lambda each, _: lines.figure(each.get("p50_ms"), "")),
    ("p99 ms", lambda each, _: lines.figure(each.get("p99_ms"), "")),
    ("wanted", lambda each, _: lines.target_text(each)),
    ("", lambda each, _: lines.verdict(each)),
    ("change", lambda _, change: compare.text(change)),
]
LEFT = {"case", "of", "", "change"}


def cells(run, changes, columns):
    return [[make(each, changes.get(compare.key_of(each))).strip() for _, make in columns] for each in run]


def as_text(run, changes):
    titles = [title for title, _ in COLUMNS]
    rows = [titles, *cells(run, changes, COLUMNS)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(titles))]
    return "\n".join("  ".join(cell.ljust(width) if title in LEFT else cell.rjust(width)
                               for cell, width, title in zip(row, widths, titles)).rstrip() for row in rows)


def not_measured(run):
    """Cases with a target that this run does not tell of."""
    told = {each["case"] for each in run if lines.is_met(each) is not None}
    return [case for case in targets.TARGETS if case not in told]


def summary(run, changes, whole=True):
    """`whole`: of a run that should have measured everything."""
    verdicts = [lines.is_met(each) for each in run]
    worse = sum(change.worse for change in changes.values())
    text = f"{verdicts.count(True)} met, {verdicts.count(False)} missed"
    if changes:
        text += f"; {worse} of {len(changes)} ratios worse than before by more than this run's spread"
    missing = not_measured(run) if whole else []
    return text + (f"\nnot measured: {'; '.join(missing)}" if missing else "")


def largest(run):
    """Of each case the line of the largest desk."""
    size = {}
    for each in run:
        size[each["case"]] = max(size.get(each["case"], 0), each["calls"] or 0)
    return [each for each in run if (each["calls"] or 0) == size[each["case"]]]


def as_markdown(results, cases=None):
    """Lines of which something is wanted, each on the largest desk; of `cases` alone where they are given."""
    columns = [column for column in COLUMNS if column[0] not in ("change",)]
    shown = [each for each in largest(results["lines"])
             if lines.target_of(each) and (cases is None or each["case"] in cases)]
    rows = [[title for title, _ in columns],
            ["---" if title in LEFT else "--:" for title, _ in columns], *cells(shown, {}, columns)]
    return markdown(rows)


def markdown(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def put_between(text, begin, made, results):
    """A file's text with what is made of a run between its marks."""
    before, rest = text.split(begin)
    return f"{before}{begin}\n{made}\n\n{results['machine']}; {results['made'][:10]}.\n{END}{rest.split(END, 1)[1]}"


def in_readme(text, results, cases=None):
    """A README's text with the table in its place."""
    return put_between(text, BEGIN, as_markdown(results, cases), results)
