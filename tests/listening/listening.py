#!/usr/bin/env python3
"""A server on every kind of address, as operators meet it: IPv4, IPv6 and unix sockets at once, behind nginx, with the sockets of a
service manager, killed and started again. Usage: listening.py PROGRAM"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())
root = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
GUESS = "client_id=sample-app&grant_type=password&username=user&password=wrong&scope=session-type:User"


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def has_ipv6():
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as one:
        one.bind(("::1", 0))
        return True
    print("skipped: IPv6, which this machine lacks")
    return False


class ByPath(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self.path)


def to(address):
    """A connection to an address as the server prints it."""
    if address.startswith("unix:"):
        return ByPath(address[5:])
    host, port = re.fullmatch(r"https?://\[?(.+?)\]?:(\d+)", address).groups()
    host = {"::": "::1", "0.0.0.0": "127.0.0.1"}.get(host, host)
    if address.startswith("https"):
        return http.client.HTTPSConnection(host, int(port), timeout=PATIENCE, context=ssl._create_unverified_context())
    return http.client.HTTPConnection(host, int(port), timeout=PATIENCE)


def get(address, path="/healthz", headers=None, method="GET", body=None):
    connection = to(address)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def guess(address, headers=None):
    return get(address, "/service.web/oauth/login", {**FORM, **(headers or {})}, "POST", GUESS)[0]


def raw(path, sent):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(PATIENCE)
        one.connect(str(path))
        one.sendall(sent)
        return one.makefile("rb").readline().decode()


class Server:
    """`passed`: sockets of a service manager; `environment` stands over what such a one sets."""

    def __init__(self, folder, *arguments, passed=(), environment=None):
        self.folder = pathlib.Path(folder)
        self.log_file = self.folder / "log"
        self.folder.mkdir(exist_ok=True)
        log = open(self.log_file, "ab")

        def set_up():
            # Above what they are put to, so that none overwrites another.
            held = [os.dup2(one.fileno(), 100 + i) for i, one in enumerate(passed)]
            for i, one in enumerate(held):
                os.dup2(one, 3 + i, inheritable=True)
                os.close(one)
            if passed:
                os.environ.update({"LISTEN_FDS": str(len(passed)), "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "one:two"})
            for name, value in (environment or {}).items():
                os.environ[name] = value.replace("PID", str(os.getpid())) if name == "LISTEN_PID" else value

        self.process = subprocess.Popen(
            [program, "serve", "--samples", "--data", str(self.folder / "data"), *arguments],
            stdout=subprocess.PIPE, stderr=log, cwd=root, text=True, close_fds=False, preexec_fn=set_up)
        log.close()
        self.addresses = []
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.addresses.append(line.split(maxsplit=2)[2].strip())
            elif self.addresses:
                break

    def __enter__(self):
        check(self.addresses, "it did not start: " + self.log()[-2000:])
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.stdout.close()
        check(self.process.wait(PATIENCE) in (0, -signal.SIGKILL), "the server did not end well: " + self.log()[-2000:])

    def log(self):
        return self.log_file.read_text(errors="replace")

    def refusal(self):
        check(not self.addresses, f"it serves on {self.addresses}")
        check(self.process.wait(PATIENCE) == 1, "the exit status is not 1")
        self.process.stdout.close()
        return self.log()

    def command(self, *arguments):
        return subprocess.run([program, "--data", str(self.folder / "data"), *arguments], capture_output=True, text=True, cwd=root,
                              timeout=PATIENCE)


def several(folder):
    v6 = has_ipv6()
    one, two = folder / "one.sock", folder / "two.sock"
    listen = ["127.0.0.1:0", f"unix:{one}", *(["[::]:0"] if v6 else []), f"unix:{two}"]
    with Server(folder / "desk", *(f"--listen={each}" for each in listen)) as server:
        check(len(server.addresses) == len(listen), f"it listens on {server.addresses}")
        check(f" listen={','.join(server.addresses)} " in server.log(), "the start line names other addresses")
        for address in server.addresses:
            check(get(address, "/service.api/api/v1/")[0] == 401, f"{address} does not serve")
        if v6:
            mapped = server.addresses[2].replace("[::]", "127.0.0.1")
            check(get(mapped, "/service.api/api/v1/mapped")[0] == 401, "[::] does not take IPv4")
        check(stat.S_IMODE(one.stat().st_mode) == 0o660, "the mode is not 660")
        # Its port stands in no setting, and a unix socket answers as well.
        health = server.command("health")
        check(health.returncode == 0, "health: " + health.stderr)
        check(get(server.addresses[1], "/metrics")[0] == 200, "who comes by a unix socket is not of this machine")
        # DNS rebinding is a matter of browsers, which get to no unix socket; for whom a proxy asks, it knows.
        check(get(server.addresses[1], "/", {"Host": "desk.example"})[0] != 421, "a host's name is refused by a unix socket")
        if not v6:
            check(get(server.addresses[0], "/", {"Host": "desk.example"})[0] == 421, "a host's name is taken on loopback")
        for request in (b"GET /healthz HTTP/1.0\r\n\r\n", b"GET http://desk.example:81/healthz HTTP/1.1\r\nHost: desk.example:81\r\n\r\n",
                        b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"):
            check(re.match(r"HTTP/1.1 20[04] ", raw(one, request)), f"by a unix socket: {request}")
        check(raw(one, b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 "), "PROXY protocol")
    log = server.log()
    seen = set(re.findall(r" address=(\S+)", log))
    check({"127.0.0.1", "unix"} <= seen, f"the access log has {seen}")
    check(not v6 or "::1" in seen, f"the access log has {seen}")
    check(not any("ffff" in each for each in seen), f"the access log has {seen}")
    check(not one.exists() and not two.exists(), "a unix socket is left behind")
    check(not (folder / "desk/data/listening").exists(), "DATA/listening is left behind")


def unix_alone(folder):
    path = folder / "desk.sock"
    (folder / "callisto.lua").write_text(f'return {{ listen = {{ "unix:{path}" }}, ["socket.mode"] = "600" }}')
    told = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(told))
        manager.settimeout(PATIENCE)
        environment = {"NOTIFY_SOCKET": str(told), "WATCHDOG_USEC": "3000000"}
        with Server(folder / "desk", "--settings", str(folder / "callisto.lua"), environment=environment) as server:
            check(server.addresses == [f"unix:{path}"], f"it listens on {server.addresses}")
            check(stat.S_IMODE(path.stat().st_mode) == 0o600, "the mode is not 600")
            curl = subprocess.run(["curl", "-s", "--unix-socket", path, "http://localhost/healthz"], capture_output=True, text=True)
            check(curl.returncode == 0 and "alive" in curl.stdout, f"curl: {curl}")
            heard = ""
            while "WATCHDOG=1" not in heard:  # it asks itself by the same socket
                heard += manager.recv(1000).decode() + "\n"
            check(f"listening on unix:{path}" in heard, heard)
            health = server.command("--settings", str(folder / "callisto.lua"), "health")
            check(health.returncode == 0, "health: " + health.stderr)
            reloaded = server.command("--settings", str(folder / "callisto.lua"), "reload")
            check(reloaded.returncode == 0, "reload: " + reloaded.stderr)
            shown = server.command("--settings", str(folder / "callisto.lua"), "settings", "--json")
            listen = [each for each in json.loads(shown.stdout) if each["name"] == "listen"][0]
            check(listen["value"] == [f"unix:{path}"], str(listen))
    gone = server.command("--settings", str(folder / "callisto.lua"), "health")
    check(gone.returncode == 1 and f"unix:{path}/readyz" in gone.stderr, f"health of a server that is gone: {gone}")


def limits(folder):
    path = folder / "desk.sock"
    limit = ["--set", "oauth.attempts_per_minute=2", f"--listen=unix:{path}"]
    address = f"unix:{path}"
    with Server(folder / "desk", *limit):
        check([guess(address) for _ in range(3)] == [400, 400, 429], "clients of a unix socket do not share a limit")
        spoken = {"X-Forwarded-For": "198.51.100.1"}
        check([guess(address, spoken) for _ in range(3)] == [400, 400, 429], "a proxy that is not named is nobody")
        check(guess(address, {"X-Forwarded-For": "198.51.100.2"}) == 429, "a proxy that is not named chooses addresses")
        check(get(address, "/metrics", spoken)[0] == 403, "who comes by a proxy reads /metrics")
    with Server(folder / "named", *limit, "--set", "http.trusted_proxies=unix"):
        def from_address(text):
            return guess(address, {"X-Forwarded-For": text})
        check([from_address("2001:db8:0:1::" + each) for each in "123"] == [400, 400, 429], "a /64 has no limit")
        check(from_address("2001:db8:0:2::1") == 400, "another /64 has the same limit")
        check([from_address(each) for each in ("::ffff:198.51.100.7", "198.51.100.7", "198.51.100.7")] == [400, 400, 429],
              "a mapped address is another client than the one of IPv4 in it")
        check(get(address, "/metrics")[0] == 200 and get(address, "/metrics", {"X-Forwarded-For": "198.51.100.1"})[0] == 403, "/metrics")


def behind_nginx(folder):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not pathlib.Path(nginx).exists():
        print("skipped: nginx, which is not installed")
        return
    path, front = folder / "desk.sock", folder / "front.sock"
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1;
        {"user root;" if os.geteuid() == 0 else ""}
        events {{ }}
        http {{
          access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
          uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
          upstream desk {{ server unix:{path}; keepalive 4; }}
          server {{
            listen unix:{front};
            location / {{
              proxy_pass http://desk; proxy_http_version 1.1; proxy_set_header Connection "";
              proxy_set_header Host desk.example; proxy_set_header X-Forwarded-Proto https;
              proxy_set_header X-Forwarded-For 198.51.100.77;
            }}
          }}
        }}""")
    with Server(folder / "desk", f"--listen=unix:{path}", "--set", "http.trusted_proxies=unix") as server:
        proxy = subprocess.Popen([nginx, "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
        try:
            while not front.exists():
                check(proxy.poll() is None, "nginx does not start")
            for _ in range(3):
                status, text = get(f"unix:{front}", "/.well-known/oauth-authorization-server")
                check(status == 200 and json.loads(text)["issuer"].startswith("https://desk.example"), f"{status} {text}")
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)
    check("198.51.100.77" in server.log(), "the log does not name the client behind nginx")


def tls(folder):
    path, certificate = folder / "desk.sock", folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=desk.example", "-keyout", certificate, "-out", folder / "public.pem"], check=True, capture_output=True)
    certificate.write_text(certificate.read_text() + (folder / "public.pem").read_text())
    listen = ["127.0.0.1:0", f"unix:{path}", *(["[::1]:0"] if has_ipv6() else [])]
    with Server(folder / "desk", "--set", f"tls.certificate={certificate}", *(f"--listen={each}" for each in listen)) as server:
        check(server.addresses[0].startswith("https://") and server.addresses[1] == f"unix:{path}", str(server.addresses))
        for address in server.addresses:
            check(get(address)[0] == 200, f"{address} does not serve")
        check(server.command("--set", f"tls.certificate={certificate}", "health").returncode == 0, "health")


def activated(folder):
    path = folder / "desk.sock"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as by_path:
        by_path.bind(str(path))
        by_path.listen(16)
        address = f"http://127.0.0.1:{tcp.getsockname()[1]}"
        with Server(folder / "desk", "--listen=127.0.0.1:1", passed=(tcp, by_path)) as server:
            check(server.addresses == [address, f"unix:{path}"], f"it listens on {server.addresses}")
            check(get(address)[0] == 200 and get(f"unix:{path}")[0] == 200, "it does not serve")
            check(server.command("health").returncode == 0, "health")
        check(path.exists(), "the socket of the service manager is gone")
        # Who comes while no server runs waits for the next one.
        waiting = to(f"unix:{path}")
        waiting.request("GET", "/healthz")
        over_tcp = to(address)
        over_tcp.request("GET", "/healthz")
        with Server(folder / "desk", passed=(tcp, by_path)):
            check(waiting.getresponse().status == 200 and over_tcp.getresponse().status == 200, "who waited is not served")
        # The variables of another process mean nothing.
        with Server(folder / "other", "--listen=127.0.0.1:0", passed=(tcp,), environment={"LISTEN_PID": "1"}) as server:
            check(server.addresses != [address], "sockets of another process are taken")
    with socket.socket() as silent, socket.socket(type=socket.SOCK_DGRAM) as datagrams, open("/dev/null") as null:
        for passed, environment, words in (
                ((), {"LISTEN_FDS": "many", "LISTEN_PID": "PID"}, "LISTEN_FDS is 'many' instead of a number"),
                ((), {"LISTEN_FDS": "-1", "LISTEN_PID": "PID"}, "LISTEN_FDS is '-1' instead of a number"),
                ((), {"LISTEN_FDS": "1000", "LISTEN_PID": "PID"}, "the descriptor 3 "),
                ((silent,), {}, "the descriptor 3 ('one' in LISTEN_FDNAMES) does not listen. Write Accept=no"),
                ((datagrams,), {}, "is no stream socket"),
                ((null,), {"LISTEN_FDNAMES": ""}, "the descriptor 3 is no stream socket")):
            refusal = Server(folder / words[:20].replace("/", ""), passed=passed, environment=environment).refusal()
            check(words in refusal, f"{words} is not in: {refusal}")
    with Server(folder / "none", "--listen=127.0.0.1:0", environment={"LISTEN_FDS": "0", "LISTEN_PID": "PID"}) as server:
        check(server.addresses[0].startswith("http://127.0.0.1:"), str(server.addresses))


def killed(folder):
    path = folder / "desk.sock"
    with Server(folder / "desk", f"--listen=unix:{path}") as server:
        refusal = Server(folder / "second", f"--listen=unix:{path}").refusal()
        check(f"Cannot listen on unix:{path}: another server listens there" in refusal, refusal)
        check(get(f"unix:{path}")[0] == 200, "the first one does not serve any more")
        server.process.kill()
        server.process.wait()
    check(path.exists() and (folder / "desk/data/listening").exists(), "kill -9 leaves nothing behind here")
    gone = server.command("health")
    check(gone.returncode == 1, f"health of a server that was killed: {gone}")
    with Server(folder / "desk", f"--listen=unix:{path}"):
        check(get(f"unix:{path}")[0] == 200, "it does not serve over a stale socket")


def main():
    for one in (several, unix_alone, limits, behind_nginx, tls, activated, killed):
        with tempfile.TemporaryDirectory(prefix="callisto-listening-") as folder:
            one(pathlib.Path(folder))
            print("passed: " + one.__name__)


main()
