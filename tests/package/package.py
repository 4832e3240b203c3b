#!/usr/bin/env python3
"""Looks into the package that ./dev package made, and, as root, installs it in a throw-away root: a fresh Debian with what the package
depends on and nothing else, or, without mmdebstrap or a mirror, this machine's own files below an overlay. There it is started as its unit
says, upgraded with data, removed and purged.
Usage: package.py FILE.deb [--from FORMER.deb]
--from: FORMER.deb makes the data, and FILE.deb is the upgrade. Otherwise both are FILE.deb, the later one with another version.
"""
import argparse
import ctypes
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

WAIT = 60
PASSWORD = "correct horse battery"
EXPECTED = """./etc/callisto/callisto.lua ./lib/systemd/system/callisto.service ./lib/systemd/system/callisto.socket ./usr/bin/callisto ./usr/lib/callisto/libssl.so ./usr/lib/callisto/libcallisto_sqlite.so
  ./usr/lib/callisto/libcrypto.so ./usr/share/callisto/entities/call.lua ./usr/share/callisto/scripts/call/states.lua
  ./usr/share/callisto/samples/starter/01-partition.jsonl ./usr/share/callisto/samples/callisto.lua ./usr/share/man/man1/callisto.1.gz
  ./usr/share/man/man5/callisto.lua.5.gz ./usr/share/bash-completion/completions/callisto ./usr/share/zsh/vendor-completions/_callisto
  ./usr/share/doc/callisto/copyright ./usr/share/doc/callisto/README.md""".split()
LIBRARIES = "libc6 libcivetweb1 libcurl4 libedit2 libicu libluajit libpq5 libsoci-core libspdlog libsqlite3-0 libssl3 zlib1g".split()


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def output(*command, **options):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)
    check(done.returncode == 0, f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def look_inside(package):
    files = {}
    for line in output("dpkg-deb", "--contents", package).splitlines():
        rights, owner, _, _, _, name = line.split(None, 5)
        files[name.split(" -> ")[0]] = (rights, owner)
    missing = [name for name in EXPECTED if name not in files]
    check(not missing, f"the package lacks {missing}")
    for name, (rights, owner) in files.items():
        check(owner == "root/root", f"{name} belongs to {owner}")
        check(rights[5] != "w" and rights[8] != "w", f"{name} may be written by others: {rights}")
        check(rights[8] in "rx" or rights[7] == "r", f"{name} cannot be read by all: {rights}")
        check(name.startswith(("./etc/callisto", "./lib/systemd/system", "./usr/")) or name in ("./", "./etc/", "./lib/", "./lib/systemd/"),
              f"{name} is no place for a file of the package")
    depends = output("dpkg-deb", "--field", package, "Depends")
    check(all(library in depends for library in LIBRARIES), f"Depends: {depends}")
    for field in "Package Version Architecture Maintainer Description Section".split():
        check(output("dpkg-deb", "--field", package, field).strip(), f"no {field}")
    with tempfile.TemporaryDirectory() as folder:
        output("dpkg-deb", "--control", package, folder)
        check(pathlib.Path(folder, "conffiles").read_text() == "/etc/callisto/callisto.lua\n", "conffiles")
        for script in ("postinst", "prerm", "postrm"):
            text = pathlib.Path(folder, script).read_text()
            output("sh", "-n", pathlib.Path(folder, script))
            check("rm " not in text and "userdel" not in text, f"{script} removes something")


def look_at_documents(root):
    """Of an unpacked package: what --help says is what the man page and the completions say."""
    program, help_of = root / "usr/bin/callisto", {}
    commands = re.findall(r"^  ([a-z]+) {2,}", output(program, "--help").split("Subcommands:")[1].split("Settings (")[0], re.M)
    check(len(commands) > 15, f"commands: {commands}")
    page = output("gzip", "-dc", root / "usr/share/man/man1/callisto.1.gz").replace("\\-", "-")
    for command in commands:
        help_of[command] = output(program, command, "--help").split("\nSettings (")[0]
        check(f"\n.B {command}\n" in page, f"the man page lacks {command}")
        if "Subcommands:" not in help_of[command]:
            for option in re.findall(r"^  (--[a-z-]+)", help_of[command], re.M):
                check(f"\n.B {option}" in page, f"the man page lacks {command} {option}")
    settings = output("gzip", "-dc", root / "usr/share/man/man5/callisto.lua.5.gz")
    for setting in json.loads(output(program, "settings", "--json", cwd=root)):
        check(f"\n.B {setting['name']}\n" in settings, f"the man page lacks {setting['name']}")
    if shutil.which("man") and shutil.which("groff"):
        for file in sorted((root / "usr/share/man").glob("*/*.gz")):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80"})
            check(done.returncode == 0 and not done.stderr, f"{file.name}: {done.stderr}")
    look_at_completion(root, commands, help_of)


def completed(root, *words):
    quoted = " ".join(f"'{word}'" for word in ("callisto", *words))
    script = (f"source {root}/usr/share/bash-completion/completions/callisto; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; "
              "_callisto; printf '%s\\n' \"${COMPREPLY[@]}\"")
    return set(output("bash", "-c", script).split())


def look_at_completion(root, commands, help_of):
    check(set(commands) <= completed(root, ""), "bash completes no commands")
    check(completed(root, "cl") == {"client"}, "callisto cl")
    check({"add", "list", "disable"} <= completed(root, "client", ""), "callisto client")
    check(completed(root, "client", "add", "--session-type", "A") == {"Any", "Analyst"}, "callisto client add --session-type")
    check("oidc.issuer=" in completed(root, "serve", "--set", "oidc."), "callisto serve --set")
    for command in commands:
        options = set(re.findall(r"^  (?:-h,)?(--[a-z-]+)", help_of[command], re.M))
        check(options <= completed(root, command, "--"), f"callisto {command}: {options - completed(root, command, '--')}")
    if shutil.which("zsh"):
        output("zsh", "-n", root / "usr/share/zsh/vendor-completions/_callisto")


def look_at_unit(root):
    """By what systemd says of it: 20 is an exposure of 2.0."""
    unit = root / "lib/systemd/system/callisto.service"
    if not shutil.which("systemd-analyze"):
        print("skipped: the unit by systemd-analyze, because that is not installed")
        return
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(unit)],
                          capture_output=True, text=True)
    check(done.returncode == 0, f"systemd-analyze security: {done.stdout[-600:]}{done.stderr}")


def next_version(package, folder):
    """The same package as a later one, with another default and one file less."""
    tree = folder / "next"
    output("dpkg-deb", "--raw-extract", package, tree)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1.next", control.read_text(), flags=re.M))
    (tree / "usr/share/doc/callisto/SECURITY.md").unlink()
    (tree / "DEBIAN/md5sums").unlink(missing_ok=True)
    later = folder / "next.deb"
    output("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, later)
    return later


def depends_of(package):
    """Their names; the first of alternatives."""
    return {re.match(r"[^\s|(]+", each.strip())[0] for each in output("dpkg-deb", "--field", package, "Depends").split(",")}


def fresh_debian(folder, packages):
    """The smallest Debian of this machine's release and sources with systemd and what the packages depend on; or None."""
    if not shutil.which("mmdebstrap"):
        print("skipped: a fresh Debian, because there is no mmdebstrap")
        return None
    path = folder / "debian"
    needed = ",".join(sorted({"systemd"}.union(*map(depends_of, packages))))
    sources = [str(each) for each in pathlib.Path("/etc/apt").glob("sources.list.d/*.sources") if "debian" in each.name]
    release = re.search(r"^VERSION_CODENAME=(\w+)$", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    done = subprocess.run(["mmdebstrap", "--mode=root", "--variant=minbase", "--quiet", f"--include={needed}", release, str(path),
                           *(sources or ["/etc/apt/sources.list"])], capture_output=True, text=True)
    if done.returncode != 0:
        print("skipped: a fresh Debian, because mmdebstrap made none: " + " ".join(done.stderr.split())[-300:])
        return None
    return path


class Root:
    """The lower folder below an overlay, in a mount namespace of this process."""

    def __init__(self, folder, lower):
        output("mount", "-t", "tmpfs", "none", folder)
        for name in ("upper", "work", "root"):
            (folder / name).mkdir()
        self.path = folder / "root"
        output("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={lower},upperdir={folder}/upper,workdir={folder}/work", self.path)
        for kind, name in (("proc", "proc"), ("tmpfs", "run"), ("tmpfs", "tmp"), ("tmpfs", "dev")):
            output("mount", "-t", kind, "none", self.path / name)
        (self.path / "tmp").chmod(0o1777)
        for name in ("null", "zero", "full", "random", "urandom"):
            (self.path / "dev" / name).touch()
            output("mount", "--bind", f"/dev/{name}", self.path / "dev" / name)
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}

    def run(self, *command, input=None):
        return output("chroot", self.path, *command, env=self.environment, input=input)

    def install(self, package):
        shutil.copy(package, self.path / "tmp/callisto.deb")
        return self.run("dpkg", "--no-triggers", "--force-confdef", "--force-confold", "--install", "/tmp/callisto.deb")

    def as_callisto(self):
        return ["chroot", str(self.path), "setpriv", "--reuid", "callisto", "--regid", "callisto", "--clear-groups", "--no-new-privs",
                "--bounding-set", "-all", "--inh-caps", "-all", "--"]


def deny_written_code():
    """As MemoryDenyWriteExecute of the unit does: prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN), of Linux 6.3 and newer."""
    ctypes.CDLL(None).prctl(65, 1, 0, 0, 0)


class Service:
    """ExecStart of the unit, by its user, told to somebody who listens as systemd does."""

    def __init__(self, root):
        self.root = root
        unit = (root.path / "lib/systemd/system/callisto.service").read_text()
        self.command = re.search(r"^ExecStart=(.+)$", unit, re.M)[1].split()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = root.path / "run/notify"
        path.unlink(missing_ok=True)
        self.socket.bind(str(path))
        self.socket.settimeout(WAIT)
        path.chmod(0o777)
        self.log = open(root.path / "tmp/log", "ab")
        self.process = subprocess.Popen(
            [*root.as_callisto(), *self.command], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            preexec_fn=deny_written_code,
            env={**root.environment, "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "600000", "CALLISTO_LISTEN": "127.0.0.1:0"})
        self.port = int(re.search(r"STATUS=listening on http://127\.0\.0\.1:(\d+)", self.told("READY=1"))[1])

    def told(self, first):
        try:
            while not (state := self.socket.recv(4096).decode()).startswith(first):
                pass
            return state
        except TimeoutError:
            raise AssertionError(f"{first} was not told: {(self.root.path / 'tmp/log').read_text()[-2000:]}") from None

    def reload(self):
        self.process.send_signal(signal.SIGHUP)
        check(re.search(r"\nMONOTONIC_USEC=\d+\n", self.told("RELOADING=1")), "a reload without its time")
        check("generation" in self.told("READY=1"), "a reload that does not end")

    def stop(self):
        self.process.terminate()
        self.told("STOPPING=1")
        check(self.process.wait(WAIT) == 0, "the server did not end well")
        self.log.close()

    def send(self, method, path, body=None, kind="application/json", token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        headers = {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        check(answer.status == 200, f"{method} {path}: {answer.status} {text}")
        return json.loads(text)

    def token(self):
        form = {"client_id": "app", "grant_type": "password", "username": "ada", "password": PASSWORD, "scope": "session-type:Analyst"}
        return self.send("POST", "/service.web/oauth/login", urllib.parse.urlencode(form), "application/x-www-form-urlencoded")["access_token"]


def rights_of(path):
    told = path.stat()
    return told.st_uid, told.st_gid, oct(told.st_mode & 0o7777)


def verify_units(root):
    """By the root's own systemd; without one, by nobody."""
    if not (root.path / "usr/bin/systemd-analyze").exists():
        return
    verified = subprocess.run(["chroot", root.path, "systemd-analyze", "verify", "--man=no", "callisto.service", "callisto.socket"],
                              env=root.environment, capture_output=True, text=True)
    told = [line for line in verified.stderr.splitlines() if "callisto" in line]
    check(not told, f"systemd-analyze verify: {told}")


def live(package, later, folder, lower):
    """From the first installation to the purge."""
    space = folder / "space"
    space.mkdir()
    root = Root(space, lower)
    root.install(package)
    user, group = (int(root.run("id", option, "callisto")) for option in ("-u", "-g"))
    data, settings = root.path / "var/lib/callisto", root.path / "etc/callisto/callisto.lua"
    check(rights_of(data) == (user, group, "0o700"), f"the data folder: {rights_of(data)}")
    check(rights_of(settings) == (0, group, "0o640"), f"the settings: {rights_of(settings)}")
    check(rights_of(settings.parent) == (0, group, "0o750"), f"/etc/callisto: {rights_of(settings.parent)}")
    shown = output(*root.as_callisto(), "callisto", "settings", env=root.environment)
    check("-- Settings file: /etc/callisto/callisto.lua\n" in shown and re.search(r'data = "/var/lib/callisto",', shown), shown[:400])
    output(*root.as_callisto(), "callisto", "person", "add", "ada", "--administrator", env=root.environment, input=PASSWORD + "\n")
    output(*root.as_callisto(), "callisto", "client", "add", "app", env=root.environment)

    service = Service(root)
    made = service.send("POST", "/service.api/api/v1/incident", json.dumps({"ShortDescription": "The first"}), token=service.token())
    service.told("WATCHDOG=1")
    service.reload()
    ready = output(*root.as_callisto(), "callisto", "health", env={**root.environment, "CALLISTO_LISTEN": f"127.0.0.1:{service.port}"})
    check(json.loads(ready)["ready"] is True, ready)

    # The upgrade comes while it runs, and an administrator has changed the settings.
    settings.write_text(settings.read_text() + "-- mine\n")
    root.install(later)
    check(settings.read_text().endswith("-- mine\n"), "the upgrade took the administrator's settings away")
    check(rights_of(settings) == (0, group, "0o640"), f"the settings: {rights_of(settings)}")
    left = root.path / "usr/share/doc/callisto/SECURITY.md"
    verify_units(root)
    check(not left.exists() or "SECURITY.md" in output("dpkg-deb", "--contents", later), "the upgrade left a file of the former version")
    service.stop()
    service = Service(root)
    kept = service.send("GET", f"/service.api/api/v1/call/{made['Ref']}", token=service.token())
    check(kept["ShortDescription"] == "The first", f"after the upgrade: {kept}")
    service.stop()
    refused = subprocess.run(["chroot", root.path, *service.command], env={**root.environment, "CALLISTO_LISTEN": "127.0.0.1:8080x"},
                             capture_output=True, text=True)
    check(refused.returncode == 1 and "8080x" in refused.stderr, f"a wrong setting: {refused}")

    before = sorted((str(path), rights_of(path)) for path in data.rglob("*"))
    check(any(path.endswith("desk.db") for path, _ in before), f"the data: {before}")
    root.run("dpkg", "--remove", "callisto")
    check(not (root.path / "usr/bin/callisto").exists() and settings.exists(), "after a removal")
    root.run("dpkg", "--purge", "callisto")
    check(not settings.exists(), "after a purge")
    check(sorted((str(path), rights_of(path)) for path in data.rglob("*")) == before, "the purge touched data")
    root.run("id", "callisto")
    # And back again: the desk is there.
    root.install(later)
    service = Service(root)
    check(service.send("GET", f"/service.api/api/v1/call/{made['Ref']}", token=service.token())["Ref"] == made["Ref"], "after all")
    service.stop()


def can_overlay():
    """Whether this process may mount, in a namespace of its own."""
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as folder:
        script = (f"mount -t tmpfs none {folder} && mkdir {folder}/u {folder}/w {folder}/r && "
                  f"mount -t overlay overlay -o lowerdir=/,upperdir={folder}/u,workdir={folder}/w {folder}/r")
        return subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True).returncode == 0


def main(package, former):
    # What is mounted below the folder is so in the namespaces of a child, and gone with it: only plain files are removed here.
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        look_inside(package)
        unpacked = folder / "unpacked"
        output("dpkg-deb", "--extract", package, unpacked)
        look_at_documents(unpacked)
        look_at_unit(unpacked)
        if not can_overlay():
            print("skipped: installing the package, because that needs root and overlay mounts")
            return
        first, later = (former, package) if former else (package, next_version(package, folder))
        lower = fresh_debian(folder, [first, later]) or "/"
        told = output("unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable, __file__, first,
                      "--inside", later, name, lower)
        print(told, end="")


if __name__ == "__main__":
    if "--inside" in sys.argv:
        live(sys.argv[1], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5])
    else:
        parser = argparse.ArgumentParser(usage=__doc__)
        parser.add_argument("package")
        parser.add_argument("--from", dest="former")
        given = parser.parse_args()
        main(*(os.path.realpath(each) if each else None for each in (given.package, given.former)))
