#!/usr/bin/env python3
"""Writes every text of the documents in a folder of bad input as a file of its own, for fuzz targets to begin with."""
import base64
import hashlib
import json
import pathlib
import sys


def text_of(case):
    if isinstance(case, str):
        return case.encode("utf-8", "surrogatepass")
    if "base64" in case:
        return base64.b64decode(case["base64"])
    return (case.get("text") or case.get("input") or "").encode("utf-8", "surrogatepass")


def main(source, target):
    folder = pathlib.Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    for document in sorted(pathlib.Path(source).glob("*.json")):
        for case in json.loads(document.read_text(encoding="utf-8"))["cases"]:
            text = text_of(case)
            if 0 < len(text) <= 16384:
                (folder / hashlib.sha1(text).hexdigest()).write_bytes(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
