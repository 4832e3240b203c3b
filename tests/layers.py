#!/usr/bin/env python3
"""Fails on an #include that ARCHITECTURE.md's dependency table does not allow, on a third-party library outside its
folder, and on a word of the business under engine/ or webhooks/."""
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "base": [],
    "json": ["base"], "catalog": ["base"], "storage": ["base"], "http": ["base"],
    "query": ["catalog", "base"],
    "events": ["catalog", "base"],
    "audit": ["events", "json", "catalog", "base"],
    "auth": ["audit", "storage", "events", "catalog", "base"],
    "oidc": ["json", "base"],
    "script": ["query", "catalog", "base"],
    "records": ["query", "storage", "script", "auth", "events", "json", "catalog", "base"],
    "sign_in": ["oidc", "auth", "audit", "http", "base"],
    "api": ["records", "query", "script", "auth", "audit", "sign_in", "http", "json", "catalog", "base"],
    "webhooks": ["events", "query", "storage", "json", "catalog", "base"],
    "importing": ["records", "storage", "script", "auth", "json", "catalog", "base"],
    "testing": ["api", "sign_in", "records", "script", "auth", "audit", "events", "storage", "http", "json", "catalog",
                "base"],
    "app": ["base", "json", "catalog", "query", "storage", "script", "auth", "audit", "oidc", "events", "records",
            "http", "api", "sign_in", "importing", "testing", "webhooks"],
}
# Which folders may include which foreign header.
LIBRARIES = {
    "civetweb": ["http"], "soci/": ["storage"], "sqlite3.h": ["storage"], "libpq-fe.h": ["storage"], "rapidjson/": ["json"],
    "lua.h": ["script"], "luajit.h": ["script"], "lauxlib.h": ["script"], "lualib.h": ["script"],
    "spdlog/": ["base"], "unicode/": ["base"], "CLI/": ["app"], "curl/": ["oidc", "webhooks", "app"],
    "openssl/": ["base", "http", "auth", "audit", "oidc", "webhooks"], "zlib.h": ["http", "importing"],
}
BUSINESS = re.compile(r"\b(incident|reopen|service.desk|knowledge|call-?priority|helpdesk)\b", re.IGNORECASE)


def folder_of(path):
    parts = path.parts
    return parts[1] if parts[0] == "engine" else "webhooks"


def problems_of(path):
    folder = folder_of(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path}:{number}"
        if BUSINESS.search(line):
            yield f"{where}: a word of the business: {line.strip()}"
        include = re.match(r'\s*#include\s+["<]([^">]+)[">]', line)
        if not include:
            continue
        target = include.group(1)
        match = re.match(r"(?:engine/)?(\w+)/", target) if target.startswith(("engine/", "webhooks/")) else None
        if match and match.group(1) != folder and match.group(1) not in ALLOWED[folder]:
            yield f"{where}: {folder} may not use {match.group(1)}"
        for library, folders in LIBRARIES.items():
            if target.startswith(library) and folder not in folders:
                yield f"{where}: {target} stays inside {', '.join(folders)}"


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "engine", "webhooks"], check=True,
                            capture_output=True, text=True).stdout.split()
    paths = [pathlib.Path(name) for name in listed if name.endswith((".cc", ".h", ".lua"))]
    problems = [problem for path in paths if path.exists() for problem in problems_of(path)]
    print("\n".join(problems) or f"{len(paths)} files keep the layers")
    return 1 if problems or not paths else 0


sys.exit(main())
