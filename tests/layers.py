#!/usr/bin/env python3
"""Fails on an #include that ARCHITECTURE.md's dependency table does not allow, on a third-party library outside its
folder, and on a word of the business under engine/ or webhooks/."""
import pathlib
import re
import subprocess
import sys

TABLE = re.compile(r"^([a-z_]+(?:, [a-z_]+)*) +-> ([a-z_, ]+)$", re.MULTILINE)


def read_table():
    """Folder -> the folders that it may use: the table of ARCHITECTURE.md, which CMakeLists.txt reads as well."""
    allowed = {"base": []}
    for names, used in TABLE.findall(pathlib.Path("ARCHITECTURE.md").read_text(encoding="utf-8")):
        for name in names.split(", "):
            allowed[name] = used.split(", ")
    if allowed["app"] == ["everything"]:
        allowed["app"] = [name for name in allowed if name != "app"]
    return allowed


ALLOWED = read_table()
# Which folders may include which foreign header.
LIBRARIES = {
    "civetweb": ["http"], "soci/": ["storage"], "sqlite3.h": ["storage"], "libpq-fe.h": ["storage"], "rapidjson/": ["json"],
    "lua.h": ["script"], "luajit.h": ["script"], "lauxlib.h": ["script"], "lualib.h": ["script"],
    "spdlog/": ["base"], "unicode/": ["base"], "CLI/": ["app"], "curl/": ["oidc", "webhooks", "app"],
    "openssl/": ["base", "http", "auth", "audit", "oidc", "webhooks"], "zlib.h": ["http", "importing"],
}
VERSIONS = "engine/app/version.cc"  # which names the versions of all of them
BUSINESS = re.compile(r"\b(incident|reopen|service.desk|knowledge|call-?priority|helpdesk)\b", re.IGNORECASE)


INCLUDE = re.compile(r'\s*#include\s+["<]([^">]+)[">]')


def folder_of(path):
    parts = pathlib.Path(path).parts
    return parts[1] if parts[0] == "engine" else "webhooks"


def is_in_wing(path):
    """In a folder of a folder, which is private to the folder above."""
    parts = pathlib.Path(path).parts
    return len(parts) > (3 if parts[0] == "engine" else 2)


def room_of(path):
    """A wing, or a file with its header."""
    parts = pathlib.Path(path).parts
    return parts[-2] + "/" if is_in_wing(path) else pathlib.Path(path).stem


def includes(path):
    """(line number, header) of each #include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def is_own(target):
    return target.startswith(("engine/", "webhooks/"))


def problems_of(path, used):
    folder = folder_of(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if BUSINESS.search(line):
            yield f"{path}:{number}: a word of the business: {line.strip()}"
    for number, target in includes(path):
        where = f"{path}:{number}"
        if is_own(target) and folder_of(target) != folder:
            used.setdefault((folder, folder_of(target)), set()).add(target)
            if folder_of(target) not in ALLOWED[folder]:
                yield f"{where}: {folder} may not use {folder_of(target)}"
            if is_in_wing(target):
                yield f"{where}: {target} is private to {folder_of(target)}"
        for library, folders in LIBRARIES.items():
            if target.startswith(library) and folder not in folders and str(path) != VERSIONS:
                yield f"{where}: {target} stays inside {', '.join(folders)}"


def dead_edges(used):
    for folder, others in ALLOWED.items():
        for other in others if folder != "app" else []:
            if (folder, other) not in used:
                yield f"ARCHITECTURE.md: {folder} uses nothing of {other}"


def report(paths, used):
    """What a stranger meets at each folder's door, and how much of it is for nobody outside."""
    print(f"{'folder':<10} files  public headers  unused outside  arrows among rooms")
    unused = 0
    for folder in ALLOWED:
        own = [path for path in paths if folder_of(path) == folder]
        public = {str(path) for path in own if path.suffix == ".h" and not is_in_wing(path)}
        outside = set().union(*(headers for (_, to), headers in used.items() if to == folder), set())
        arrows = {(room_of(path), room_of(target)) for path in own for _, target in includes(path)
                  if is_own(target) and folder_of(target) == folder and room_of(path) != room_of(target)}
        if folder not in ("app", "base"):
            unused += len(public - outside)
        print(f"{folder:<10} {len(own):5}  {len(public):14}  {len(public - outside):14}  {len(arrows):18}")
    print(f"{unused} headers at a door that nobody outside uses (app and base aside)")


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "engine", "webhooks"], check=True,
                            capture_output=True, text=True).stdout.split()
    paths = [pathlib.Path(name) for name in listed if name.endswith((".cc", ".h", ".lua"))]
    paths = [path for path in paths if path.exists()]
    used = {}
    problems = [problem for path in paths for problem in problems_of(path, used)]
    problems += dead_edges(used)
    if "--report" in sys.argv:
        report(paths, used)
    print("\n".join(problems) or f"{len(paths)} files keep the layers")
    return 1 if problems or not paths else 0


sys.exit(main())
