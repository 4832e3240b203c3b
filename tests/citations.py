#!/usr/bin/env python3
"""Whether what comments and documents cite is there: decision records and API rules (engine/api/README.md) by number, sections
of a README by their heading; and nothing that is not in the repository."""
import pathlib
import re
import subprocess
import sys

ABSENT = re.compile(r"\b(decisions|trust|performance|architecture|measurements|house|service-api)\.md\b|\bspecification \d")
DECISION = re.compile(r"\b[Dd]ecisions?(?:/| )(\d{4})\b|engine/decisions/(\d{4})")
NUMBER = r"\d+(?:\.\d+)?"
RULE = re.compile(rf"\bAPI rules? ({NUMBER}(?:(?:, | to | and ){NUMBER})*)")
SECTION = re.compile(r'((?:\w+/)*README\.md), "([^"]+)"')
SOURCES = (".h", ".cc", ".cpp", ".lua", ".sql", ".py", ".md", ".txt", ".cmake")


def files():
    listed = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard"], text=True)
    return [pathlib.Path(name) for name in listed.splitlines()
            if name.endswith(SOURCES) and name != "tests/citations.py" and pathlib.Path(name).exists()]


def headings(document):
    return re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)


def joined(text):
    """A comment's lines as one, so that a citation may go over the end of one."""
    return re.sub(r"\n\s*(//|--|#) ?", " ", text)


def problems_of(path, text, decisions, rules):
    for match in DECISION.finditer(text):
        number = match[1] or match[2]
        if number not in decisions:
            yield f"{path}: there is no decision {number}"
    for match in RULE.finditer(text):
        for number in re.findall(NUMBER, match[1]):
            if number not in rules:
                yield f"{path}: engine/api/README.md has no rule {number}"
    for match in SECTION.finditer(text):
        document = pathlib.Path(match[1])
        if not document.exists() or match[2] not in headings(document):
            yield f"{path}: {match[1]} has no section '{match[2]}'"


def main():
    decisions = {path.name[:4] for path in pathlib.Path("engine/decisions").glob("[0-9]*.md")}
    rules = set(re.findall(r"^(?:\*\*|## )(\d+(?:\.\d+)?)\b",
                           pathlib.Path("engine/api/README.md").read_text(encoding="utf-8"), re.MULTILINE))
    problems, cited = [], 0
    for path in files():
        text = path.read_text(encoding="utf-8")
        problems += [f"{path}:{number}: cites what is not in the repository: {line.strip()}"
                     for number, line in enumerate(text.splitlines(), 1) if ABSENT.search(line)]
        text = joined(text)
        problems += problems_of(path, text, decisions, rules)
        cited += sum(len(kind.findall(text)) for kind in (DECISION, RULE, SECTION))
    print("\n".join(problems) or f"{cited} citations lead somewhere")
    return 1 if problems else 0


sys.exit(main())
