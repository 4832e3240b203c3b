#!/usr/bin/env python3
"""Has scim2-tester, a public suite for RFC 7643 and RFC 7644, ask a server with the sample desk all that it asks. Usage: scim.py PROGRAM"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

root = pathlib.Path(__file__).resolve().parents[2]
# The suite makes up texts of 36 characters, and compares what it sent with what comes back.
LEFT_OUT = ("locale = \"LanguageCode\", ", "[\"name.formatted\"] = \"Name\",")   # which is shorter; which is put together here
KNOWN = {
    "returned unexpected value for 'userName'": "names come back in capitals, which are compared without case (RFC 7643 4.1.1)",
    "returned unexpected value for 'phoneNumbers'": "the only number of its kind is the primary one",
    "returned unexpected value for 'emails'": "the only address of its kind is the primary one",
    "did not remove attribute 'active'": "a flag always has a value",
    "search_with_attributes: There is no resource type at this path": "/.search is optional (RFC 7644 3.4.3)",
}


class Server:
    def __init__(self, program, folder):
        mapping = (root / "scripts/scim.lua").read_text(encoding="utf-8")
        for text in LEFT_OUT:
            assert text in mapping, f"scripts/scim.lua has no {text}"
            mapping = mapping.replace(text, "")
        scripts = pathlib.Path(folder) / "scripts"
        scripts.mkdir()
        (scripts / "scim.lua").write_text(mapping, encoding="utf-8")
        self.process = subprocess.Popen([program, "serve", "--samples", "--listen", "127.0.0.1:0", "--data", f"{folder}/data",
                                         "--set", f"scripts=scripts,{scripts}"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=root)
        self.url = re.fullmatch(r"listening on (\S+)\n", self.process.stdout.readline())[1]

    def token(self):
        form = {"client_id": "sample-app", "grant_type": "password", "username": "admin", "password": "callisto",
                "scope": "session-type:Analyst"}
        with urllib.request.urlopen(f"{self.url}/service.web/oauth/login", urllib.parse.urlencode(form).encode()) as answer:
            return json.load(answer)["access_token"]

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0, "the server did not end well"


def run(program):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        headers = {"Authorization": f"Bearer {server.token()}"}
        with httpx2.Client(base_url=f"{server.url}/service.api/scim/v2", headers=headers) as http:
            results = check_server(SyncSCIMClient(http))
        server.stop()
    told = [(each, f"{each.title}: {each.reason}") for each in results
            if each.status in (Status.ERROR, Status.CRITICAL, Status.DEVIATION)]
    wrong = [text for _, text in told if not any(known in text for known in KNOWN)]
    for text in wrong:
        print(text)
    good = len(results) - len(told)
    print(f"scim2-tester: {good} of {len(results)} checks went well, {len(told) - len(wrong)} failed as they must here, {len(wrong)} failed")
    return 0 if good > 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
