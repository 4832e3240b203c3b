"""The ordinary questions of a run as Markdown: each with its times in questions.md, how many are near in README.md."""
import re
import statistics

import lines
import questions
import table

BEGIN = "<!-- ./dev bench --only questions --readme writes from here -->"
CASE = re.compile(r"(?P<name>.+), (?P<session>administrator|analyst|user), (?P<many>\d+) connections?, raw (?P<floor>\w+)")
DATABASES = {"sqlite3": "SQLite", "libpq": "PostgreSQL"}
SESSIONS = ("administrator", "analyst", "user")


def asked_in(run):
    """{(floor, connections): {question: {session: its line}}}, as they were asked."""
    found = {}
    for each in run:
        if told := CASE.fullmatch(each["case"]):
            of = found.setdefault((told["floor"], int(told["many"])), {})
            of.setdefault(told["name"], {})[told["session"]] = each
    return found


def is_near(each):
    return questions.is_near(each["ours"], each["beside"])


def overview(run):
    rows = [["database", "connections", "asked", "near their floor", "median of the ratios", "19 of 20 take less than"],
            ["---", "--:", "--:", "--:", "--:", "--:"]]
    for (floor, many), asked in asked_in(run).items():
        all_of = [each for of in asked.values() for each in of.values()]
        times = sorted(each["ours"] for each in all_of)
        rows.append([DATABASES[floor], str(many), str(len(all_of)), f"{100 * sum(map(is_near, all_of)) / len(all_of):.1f} %",
                     lines.ratio_text(statistics.median(map(lines.ratio_of, all_of)), "less"),
                     lines.figure(times[len(times) * 19 // 20] / 1000, "ms")])
    return table.markdown(rows)


def cell(each):
    if not each:
        return ""
    text = f"{lines.figure(each['ours'] / 1000, 'ms')}, {lines.ratio_text(lines.ratio_of(each), 'less')}"
    return text if is_near(each) else f"**{text}**"


def whole(run):
    parts = []
    for (floor, many), asked in asked_in(run).items():
        rows = [["question", *SESSIONS], ["---", "--:", "--:", "--:"],
                *([name, *(cell(of.get(session)) for session in SESSIONS)] for name, of in asked.items())]
        parts.append(f"## {DATABASES[floor]}, {questions.asked_by(many, 'raw ' + floor)}\n\n{table.markdown(rows)}")
    return "\n\n".join(parts)


def put(text, results, make):
    """A file's text with that of the run between its marks."""
    return table.put_between(text, BEGIN, make(results["lines"]), results)
