"""Scripts that want the server for themselves, called by HTTP at once and one after the other: each fails alone."""
import threading

from server import API, Server, check

SCRIPTS = {
    "spin": "while true do end",
    "spin-caught": "while true do pcall(function() while true do end end) end",
    "spin-deep": "local function again() pcall(again) return again() end again()",
    "wrap": "local f = function() while true do end end; while true do pcall(f) pcall(error, f) end",
    "hoard": "local all = {} for i = 1, 1e9 do all[i] = ('x'):rep(100000) .. i end",
    "hoard-table": "local all = {} for i = 1, 1e9 do all[i] = {} end",
    "repeat-text": "return ('x'):rep(2^31)",
    "pattern": "return (('a'):rep(30000)):find(('a*'):rep(30) .. 'b')",
    "recurse": "local function down(n) return 1 + down(n + 1) end return down(1)",
    "sort": "local all = {} for i = 1, 5000 do all[i] = i end while true do table.sort(all, function() return true end) end",
    "concat": "local text = 'x' while true do text = text .. text end",
}
ACTION = 'return action "{name}" {{ description = "Hostile.", raises = "Harmed",\n  run = function(call)\n{body}\n  end }}\n'


def call_all(server, token, ref, found, lock):
    for name in SCRIPTS:
        answer = server.send("PUT", f"{API}call/{ref}/{name}", {}, token)
        with lock:
            found.append((name, answer.status if answer else None))


def run(context):
    actions = context.folder / "scripts/call/actions"
    actions.mkdir(parents=True)
    for name, body in SCRIPTS.items():
        (actions / f"{name}.lua").write_text(ACTION.format(name=name, body="do " + body + " end"))
    with Server(context.program, context.folder / "desk", "--set", f"scripts=scripts,{actions.parents[1]}").started() as server:
        token = server.token("admin")
        created = server.create(token).json()
        before = server.get(f"call/{created['Ref']}?$select=RecordVersion", token)
        for _ in range(1 if context.factor <= 1 else 5):
            found, lock = [], threading.Lock()
            threads = [threading.Thread(target=call_all, args=(server, token, created["Ref"], found, lock))
                       for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            odd = sorted({each for each in found if each[1] != 500})
            check(not odd, f"hostile scripts with another answer than 500: {odd}")
            check(server.healthy(), "after hostile scripts /healthz does not answer")
        after = server.get(f"call/{created['Ref']}?$select=RecordVersion", token)
        check(after.body == before.body, "a script that failed changed its record")
        answer = server.create(token)
        check(answer and answer.status == 200, "after hostile scripts a write is not answered")
        return f"{len(SCRIPTS)} scripts by 8 clients at once; {server.figures()['kib'] // 1024} MiB resident at the end"
