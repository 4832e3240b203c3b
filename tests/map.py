#!/usr/bin/env python3
"""The map of the source, engine/README.md: one sentence per file, the first of each header's own comment, or of a source
without a header. Without an argument it fails if the map is out of date; --write makes it."""
import pathlib
import re
import sys

MAP = pathlib.Path("engine/README.md")
INTRODUCTION = """# The map

One sentence per file, from its first lines. A header speaks for the source of the same name.
[ARCHITECTURE.md](../ARCHITECTURE.md) shows the layers of the folders and the ways of a request;
[decisions](decisions/README.md) say why things are as they are.

Made by `python3 tests/map.py --write`; the test run fails if it is out of date.
"""
FOLDERS = {  # what the folder is for, in the order of the layers
    "base": "what every other folder uses",
    "json": "JSON, read and written",
    "catalog": "entities, once they are read",
    "storage": "connections, statements, transactions, migrations",
    "http": "HTTP over CivetWeb",
    "query": "the query language, turned into SQL and into predicates",
    "events": "how changes become known",
    "audit": "the log that shows whether somebody changed it",
    "auth": "who somebody is, and what they may do",
    "oidc": "the client of an OpenID Connect provider",
    "script": "Lua: a desk's files, and what their functions may do",
    "records": "reading and changing records",
    "diagram": "the states of an entity as a picture",
    "sign_in": "pages and ways of signing in",
    "workbench": "pages for people, and how they sign in there",
    "api": "the API's urls, answers and errors",
    "scim": "provisioning by an identity provider",
    "importing": "foreign data, dumps, copies",
    "testing": "specs: tests of a desk in Lua",
    "app": "the program: settings, commands, serving",
    "webhooks": "which receivers hear of changes, and how",
}
LONGEST = 220


def sentence_of(path):
    """None where the file says nothing of itself."""
    words = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("//"):
            words.append(line[2:].strip())
        elif line.strip() and not (line.startswith("#") and not words):
            break
        elif words:
            break
    text = " ".join(words)
    text = re.sub(rf"^{re.escape(path.stem.replace('_', ''))}: ", "", text, flags=re.IGNORECASE)
    ends = [end.start() for end in re.finditer(r"[.:;](?=\s+[A-Z0-9\"'`]|$)", text)]
    ends = [end for end in ends if text[:end].count("(") == text[:end].count(")")]  # not within parentheses
    sentence = text[:ends[0]] if ends else text
    if len(sentence) > LONGEST:  # its first clauses
        sentence = re.split(r"[;:,](?= [^;:,]*$)", sentence[:LONGEST])[0]
    return sentence[:1].upper() + sentence[1:] + "." if sentence else None


def lines():
    missing = []
    for folder, purpose in FOLDERS.items():
        place = pathlib.Path(folder) if folder == "webhooks" else pathlib.Path("engine") / folder
        yield f"\n## {folder}: {purpose}\n\n"
        for path in sorted(place.rglob("*.h")) + sorted(place.rglob("*.cc")):
            if path.suffix == ".cc" and path.with_suffix(".h").exists():
                continue
            sentence = sentence_of(path)
            if sentence is None:
                if path.suffix == ".h":
                    missing.append(str(path))
                continue
            link = pathlib.Path("..") / path if folder == "webhooks" else path.relative_to("engine")
            yield f"- [{path.relative_to(place)}]({link}): {sentence}\n"
    if missing:
        sys.exit("These headers do not say what they are in a first sentence:\n" + "\n".join(missing))


def main():
    present = {path.name for path in pathlib.Path("engine").iterdir() if path.is_dir()} - {"decisions"}
    if present | {"webhooks"} != set(FOLDERS):
        unknown = sorted((present | {"webhooks"}) ^ set(FOLDERS))
        sys.exit(f"tests/map.py does not know what these folders are for: {unknown}")
    text = INTRODUCTION + "".join(lines())
    if "--write" in sys.argv:
        MAP.write_text(text, encoding="utf-8")
    elif not MAP.exists() or MAP.read_text(encoding="utf-8") != text:
        sys.exit("engine/README.md is not the map of today: python3 tests/map.py --write")
    print(f"{text.count(chr(10) + '- ')} files on the map")


main()
