#!/usr/bin/env python3
"""Holds samples/monitoring to what a server's /metrics answers: every metric and label that an alert or a panel asks for must be
there. Reads /metrics in both of its formats, OpenMetrics by the parser of prometheus_client where that is installed (build/pip), and
has promtool look at the files where that is installed. Usage: monitoring.py PROGRAM"""
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
samples = root / "samples/monitoring"
OF_PROMETHEUS = {"up"}
LABELS_OF_PROMETHEUS = {"instance", "job", "le"}
WORDS = {"by", "without", "rate", "increase", "sum", "min", "max", "count", "topk", "histogram_quantile", "min_over_time", "on", "and", "or",
         "unless", "label_values"}


def check(condition, text):
    if not condition:
        raise AssertionError(text)


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "serve", "--samples", "--listen", "127.0.0.1:0", "--data", folder], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, cwd=root)
        line = self.process.stdout.readline()
        self.port = int(re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)[1])

    def get(self, path, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type"), answer.read().decode()

    def stop(self):
        self.process.terminate()
        check(self.process.wait(30) == 0, "the server did not end well")


def read_metrics(text):
    """{metric: labels}, with the names of a histogram's and summary's samples; of families without samples the labels are None."""
    known = {}
    for line in text.splitlines():
        if match := re.match(r"# TYPE (\S+) (\S+)", line):
            name, kind = match.groups()
            suffixes = {"histogram": ["_bucket", "_sum", "_count"], "summary": ["_sum", "_count"]}.get(kind, [""])
            known.update({name + suffix: None for suffix in suffixes})
        elif match := re.match(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ", line):
            labels = set(re.findall(r'([a-zA-Z_]\w*)="', match[2] or ""))
            known[match[1]] = (known.get(match[1]) or set()) | labels
    return known


def check_guide(known):
    """engine/app/OPERATING.md tells what each metric means, and of none that is not there."""
    rows = re.findall(r"^\| (`(?:callisto|process)_.*?) \|", (root / "engine/app/OPERATING.md").read_text(encoding="utf-8"), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in known}
    check(told == families, f"OPERATING.md and /metrics differ by {sorted(told ^ families)}")


def asked(expression):
    """(metric, labels in its braces) of each selector, and the labels that results are grouped by."""
    plain = re.sub(r'"[^"]*"', '""', expression)
    grouped = {label.strip() for group in re.findall(r"\b(?:by|without) \(([^)]*)\)", plain) for label in group.split(",")}
    plain = re.sub(r"\b(?:by|without) \([^)]*\)", " ", plain)
    plain = re.sub(r"\[[^\]]*\]", "", plain)
    selectors = []
    for name, labels in re.findall(r"\b([a-z_][a-z0-9_]*)\b(?!\s*\()(?:\{([^}]*)\})?", re.sub(r"\b\d+(e\d+)?\b", "", plain)):
        if name not in WORDS:
            selectors.append((name, set(re.findall(r"(\w+)\s*[=!]", labels))))
    return selectors, grouped


def check_expression(where, expression, known):
    selectors, grouped = asked(re.sub(r"\{([^}]*)\}", lambda braces: "{" + braces[1] + "}", expression))
    check(selectors, f"{where}: no metric in {expression}")
    of_all = set()
    for name, labels in selectors:
        check(name in known or name in OF_PROMETHEUS, f"{where}: /metrics has no {name}")
        own = known.get(name)
        of_all |= own or set()
        if own is not None:
            check(labels <= own | LABELS_OF_PROMETHEUS, f"{where}: {name} has no label {labels - own - LABELS_OF_PROMETHEUS}")
    if all(known.get(name) is not None for name, _ in selectors):
        check(grouped <= of_all | LABELS_OF_PROMETHEUS, f"{where}: no label {grouped - of_all - LABELS_OF_PROMETHEUS}")


def alerts():
    text = (samples / "alerts.yml").read_text()
    found = re.findall(r"      - alert: (\w+)\n        expr: (.+)\n        for: (\d+m)\n        labels:\n          severity: (critical|warning)\n"
                       r'        annotations:\n          summary: (".+")\n          description: (".+")\n', text)
    check(len(found) == text.count("- alert:") > 20, "alerts.yml has a rule of another form")
    check(len({name for name, *_ in found}) == len(found), "two alerts have one name")
    check(f"and {len(found)} alerts tell" in (samples / "README.md").read_text(), f"README.md: there are {len(found)} alerts")
    return [(name, expression) for name, expression, *_ in found]


def panels():
    board = json.loads((samples / "dashboard.json").read_text())
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m")
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], re.fullmatch(r"label_values\((\w+), \w+\)", variable["query"]["query"])[1]


def check_open_metrics(server):
    """The form by the reference parser, and that it tells the same metrics as the other format does."""
    accept = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
    status, kind, text = server.get("/metrics", {"Accept": accept})
    check(status == 200 and kind == "application/openmetrics-text; version=1.0.0; charset=utf-8", f"{status} {kind}")
    check(text.endswith("\n# EOF\n") and text.count("# EOF") == 1, "no end of file")
    sys.path[:0] = [str(path) for path in (root / "build/pip").glob("lib/python3*/site-packages")]
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        print("skipped: OpenMetrics by its parser, because prometheus_client is not installed")
        return text
    families = list(text_string_to_metric_families(text))
    check(len(families) > 40, "few families")
    return text


def check_with_promtool(text):
    if not shutil.which("promtool"):
        print("skipped: promtool, because it is not installed")
        return
    for arguments, given in ((["check", "config", "prometheus.yml"], None), (["check", "rules", "alerts.yml"], None),
                             (["check", "metrics"], text)):
        done = subprocess.run(["promtool", *arguments], cwd=samples, input=given, capture_output=True, text=True)
        check(done.returncode == 0, f"promtool {arguments}: {done.stdout}{done.stderr}")


def check_the_checker(known):
    """What is wrong must be found, or the rest means nothing."""
    for wrong in ("callisto_nothing == 0", 'callisto_http_requests_total{nothing="1"} > 0', "sum by (nothing) (callisto_slots)",
                  "rate(process_cpu_seconds[5m]) > 1"):
        try:
            check_expression("wrong", wrong, known)
        except AssertionError:
            continue
        raise AssertionError(f"not found to be wrong: {wrong}")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder + "/desk")
        try:
            server.get("/healthz", {})  # so that there are samples of requests
            status, kind, text = server.get("/metrics", {})
            check(status == 200 and kind == "text/plain; version=0.0.4; charset=utf-8", f"{status} {kind}")
            open_text = check_open_metrics(server)
            known = read_metrics(text)
            strip = {re.sub(r"_total$", "", name) for name in known}
            missing = strip - {re.sub(r"_total$", "", name) for name in read_metrics(open_text)}
            check(not missing, f"OpenMetrics lacks {missing}")
            check_guide(known)
            check_the_checker(known)
            for where, expression in [*alerts(), *panels()]:
                check_expression(where, expression, known)
            check_with_promtool(text)
        finally:
            server.stop()


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
