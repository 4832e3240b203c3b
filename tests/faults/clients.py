"""Clients that will not let go: heads, bodies and reads a byte at a time, connections reset in the middle of an answer,
and thousands that say nothing, or nothing more. Others are answered meanwhile, and their places come free."""
import resource
import socket
import struct
import time

from server import API, Server, check, until

MOST_FILES_OF_ONE = 200   # what a process needs besides


def raw(server, first=b"", receive_buffer=0):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(30)
    connection.connect(server.address)
    if first:
        connection.sendall(first)
    return connection


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def probe(server, times, what):
    """The slowest answer, in seconds: told, not judged."""
    slowest = 0.0
    for _ in range(times):
        began = time.monotonic()
        check(server.healthy(), f"{what}: a healthy client is not answered")
        slowest = max(slowest, time.monotonic() - began)
    return slowest


def is_closed(connection):
    """What was sent so far is read on the way."""
    connection.setblocking(False)
    try:
        while True:
            if not connection.recv(65536):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def drip(server, heads, what, count, sends=True):
    """They send a byte now and then, or nothing any more, and are sent away by the server."""
    connections = [raw(server, heads) for _ in range(count)]
    try:
        slowest = probe(server, 20, what)

        def all_closed():
            for connection in [each for each in connections if is_closed(each)]:
                connection.close()
                connections.remove(connection)
            for connection in connections if sends else ():
                try:
                    connection.send(b"a")
                except OSError:
                    pass
            time.sleep(0.5)   # the pace of the drip
            return not connections
        until(all_closed, f"{what}: the server sends {len(connections)} slow clients away")
    finally:
        for connection in connections:
            connection.close()
    return slowest


def slow_readers(server, token, count):
    """They ask for much and read nothing; answers that wait for them hold up nobody."""
    asks = (f"GET {API}call?$top=1000&$orderby=Ref HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n" * 8).encode()
    connections = [raw(server, asks, 2048) for _ in range(count)]
    slowest = probe(server, 20, "slow readers")
    for connection in connections:
        reset(connection)
    return slowest


def resets(server, token, random, count):
    ask = f"GET {API}call?$top=200 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    for _ in range(count):
        connection = raw(server, ask[:random.randrange(1, len(ask) + 1)])
        if random.random() < 0.5:
            connection.settimeout(0.02)
            try:
                connection.recv(random.randrange(1, 4096))
            except OSError:
                pass
        reset(connection)
    return probe(server, 10, "resets")


def idle(server, count, first=b""):
    """They say nothing, or nothing after a first request, and hold up nobody."""
    connections = []
    try:
        for _ in range(count):
            connections.append(raw(server, first))
            if first:
                check(connections[-1].recv(65536), "a client that will be idle gets no answer")
        return probe(server, 5, f"{count} idle connections")
    finally:
        for connection in connections:
            connection.close()


def run(context):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))   # the server inherits it
    wanted = 10_000 if context.factor > 1 else 1_000
    crowd = min(wanted, hard - MOST_FILES_OF_ONE)
    many = 700 if context.factor > 1 else 100   # more than the server has threads, in the long run
    try:
        with Server(context.program, context.folder / "desk").started() as server:
            token = server.token()
            before = server.figures()
            slowest = {
                "resets": resets(server, token, context.random, context.count(200)),
                "slow readers": slow_readers(server, token, many // 2),
                "slow heads": drip(server, b"GET /healthz HTTP/1.1\r\nX-Slow: ", "slow heads", many),
                "slow bodies": drip(server, b"POST /service.web/oauth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                    b"application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n", "slow bodies",
                                    many, sends=context.factor > 1),   # sent away after 30 s then, else after 10
                "silent": idle(server, crowd),
                "idle": idle(server, crowd, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            }
            until(server.healthy, "a healthy client to be answered after the crowd has gone")
            until(lambda: server.figures()["files"] <= before["files"] + 20, "the connections that were left to be closed")
            answer = server.create(token)
            check(answer and answer.status == 200, "after the crowd a write is not answered")
        told = ", ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in slowest.items())
        return (f"slowest answer to a healthy client: {told}; {many} slow, {crowd} silent and idle" +
                ("" if crowd == wanted else f" (of {wanted} wanted)"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
