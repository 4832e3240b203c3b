#!/usr/bin/env python3
"""Whether what comments and documents cite is there: decision records and API rules (engine/api/README.md) by number, sections
of a README by their heading; and nothing that is not in the repository."""
import fnmatch
import pathlib
import re
import subprocess
import sys

ABSENT = re.compile(r"\b(decisions|trust|performance|architecture|measurements|house|service-api)\.md\b|\bspecification \d")
DECISION = re.compile(r"\b[Dd]ecisions?(?:/| )(\d{4})\b|engine/decisions/(\d{4})")
NUMBER = r"\d+(?:\.\d+)?"
RULE = re.compile(rf"\bAPI rules? ({NUMBER}(?:(?:, | to | and ){NUMBER})*)")
SECTION = re.compile(r'((?:\w+/)*README\.md), "([^"]+)"')
# A path in a document, whole or without the ending of its files: `engine/auth/password`, `webhooks/places.h`.
PATH = re.compile(r"`((?:engine|entities|scripts|webhooks|sql|tests|samples)/[\w./+*-]+)`")
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


def is_there(path, names):
    if "*" in path:
        return bool(fnmatch.filter(names, path + ("*" if path.endswith("*") else "")))
    beginning = path.rstrip("/")
    return any(name == path or name.startswith((beginning + ".", beginning + "/")) for name in names)


def paths_that_lead_nowhere(path, text, names):
    examples = {"entities", "scripts"}  # guides make up files there
    for match in PATH.finditer(text):
        if match[1].split("/")[0] not in examples and not is_there(match[1], names):
            yield f"{path}: there is no {match[1]}"


def main():
    decisions = {path.name[:4] for path in pathlib.Path("engine/decisions").glob("[0-9]*.md")}
    rules = set(re.findall(r"^(?:\*\*|## )(\d+(?:\.\d+)?)\b",
                           pathlib.Path("engine/api/README.md").read_text(encoding="utf-8"), re.MULTILINE))
    problems, cited = [], 0
    names = {str(path) for path in files()} | set(subprocess.check_output(["git", "ls-files"], text=True).split())
    for path in files():
        text = path.read_text(encoding="utf-8")
        problems += [f"{path}:{number}: cites what is not in the repository: {line.strip()}"
                     for number, line in enumerate(text.splitlines(), 1) if ABSENT.search(line)]
        if path.suffix == ".md" and path.name != "CHANGELOG.md":
            problems += paths_that_lead_nowhere(path, text, names)
        text = joined(text)
        problems += problems_of(path, text, decisions, rules)
        cited += sum(len(kind.findall(text)) for kind in (DECISION, RULE, SECTION))
    print("\n".join(problems) or f"{cited} citations lead somewhere")
    return 1 if problems else 0


sys.exit(main())
