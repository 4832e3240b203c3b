#!/usr/bin/env python3
"""What of ./dev bench measures nothing: table, comparison, chart, README and the files of a run. ./dev test runs it."""
import contextlib
import io
import json
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

import asks
import bench
import chart
import compare
import connections
import lines
import postgres
import question_table
import table
import targets

SVG = "{http://www.w3.org/2000/svg}"


def rate(case="top-30 search", ratios=(0.7, 0.8, 0.9), better="more", calls=10_000, of="the floor"):
    return lines.line(case, 800, calls=calls, beside=1000, of=of, ratios=ratios, better=better, p50_ms=0.5, p99_ms=2)


def time_of_processors(ms, slower=1):
    return lines.line("mixed, 256 connections, p99", ms, "ms", better="less", slower=slower)


def whole_run():
    """A line of each case that something is wanted of, all just met."""
    run = []
    for case, target in targets.TARGETS.items():
        better = "less" if target.judges == "figure" or case.endswith(", growth") else "more"
        of = "10,000 calls" if case.endswith(", growth") else "the floor"
        run.append(lines.line(case, target.bound, "ms" if target.judges == "figure" else "/s", calls=1_000_000,
                              beside=1, of=of, better=better, slower=1,
                              ratios=[target.bound] if target.judges == "ratio" else []))
    return {"made": "2026-01-02T03:04:05Z", "machine": "2 cores & <more>", "rounds": 3, "lines": run}


class Lines(unittest.TestCase):
    def test_the_median_of_the_rounds_is_judged(self):
        for each, met in [(rate(ratios=(0.1, 0.7, 0.9)), True), (rate(ratios=(0.9, 0.69, 0.1)), False),
                          (rate("get by id, growth", (1.0, 1.3, 9), "less", 1_000_000), True),
                          (rate("get by id, growth", (1.31,), "less", 1_000_000), False),
                          (lines.line("start to the first answer", 1.0, "s", better="less"), True),
                          (lines.line("start to the first answer", 1.01, "s", better="less"), False),
                          (lines.line("login", 2, ratios=[0.9], beside=2, of="x"), True),
                          (time_of_processors(25), True), (time_of_processors(26), False),
                          (time_of_processors(50, slower=2), True), (time_of_processors(13, slower=0.5), False),
                          (rate("$count"), None),
                          # Wanted on large desks alone.
                          (rate("get by id, growth", (9,), "less", 100_000), None),
                          (rate("Contains, a rare word, beside a scan", (1,), calls=10_000), None),
                          (rate("Contains, a rare word, beside a scan", (49,), calls=1_000_000), False)]:
            with self.subTest(case=each["case"], ratios=each["ratios"]):
                self.assertEqual(lines.is_met(each), met)

    def test_a_time_of_processors_tells_how_its_bound_came_about(self):
        self.assertEqual(lines.target_text(time_of_processors(30, slower=2)), "≤ 50.0 ms (25 x 2.0)")
        self.assertEqual(lines.slower([{"cpu_us": 28}, {"cpu_us": 70}, {"cpu_us": 7}]), 2)

    def test_figures_have_three_digits_that_count(self):
        for value, text in [(0, "0"), (0.21449, "0.214"), (1.005, "1.00"), (9.996, "10.0"), (31.26, "31.3"),
                            (99.96, "100"), (31204.4, "31,204"), (-5, "-5.00")]:
            self.assertEqual(lines.number(value), text)

    def test_shares_are_percents_and_multiples_are_multiples(self):
        for ratio, better, text in [(0.764, "more", "76 %"), (1.2, "more", "120 %"), (6.13, "more", "6.13 x"),
                                    (63.4, "more", "63 x"), (1.04, "less", "1.04 x"), (None, "more", "")]:
            self.assertEqual(lines.ratio_text(ratio, better), text)


class Comparison(unittest.TestCase):
    def test_worse_by_more_than_the_spread_is_marked(self):
        for now, better, before, worse in [
                ((0.70, 0.72, 0.74), "more", 0.80, True),      # 8 points worse, rounds 4 points apart
                ((0.60, 0.72, 0.80), "more", 0.80, False),     # rounds 20 points apart
                ((0.90, 0.92, 0.94), "more", 0.80, False),     # better
                ((0.72,), "more", 0.80, False),                # one round has no spread
                ((1.30, 1.32, 1.34), "less", 1.20, True),
                ((1.10, 1.12, 1.14), "less", 1.20, False)]:
            with self.subTest(now=now, better=better):
                run, earlier = [rate(ratios=now, better=better)], [rate(ratios=(before,), better=better)]
                (change,) = compare.changes(run, earlier).values()
                self.assertEqual(change.worse, worse)
                self.assertEqual("WORSE" in compare.text(change), worse)
                self.assertEqual("WORSE" in table.as_text(run, compare.changes(run, earlier)), worse)

    def test_only_ratios_of_the_same_case_and_desk_are_compared(self):
        start = lines.line("start to the first answer", 9, "s", better="less")
        self.assertEqual(compare.changes([rate(), start], [rate(calls=100_000), start, rate("metadata")]), {})

    def test_a_change_is_told_in_percent_of_the_earlier_ratio(self):
        changes = compare.changes([rate(ratios=(0.6, 0.6))], [rate(ratios=(0.8,))])
        self.assertEqual(compare.text(*changes.values()), "-25 % WORSE")


class Table(unittest.TestCase):
    def test_every_line_is_one_row_with_its_verdict(self):
        run = whole_run()["lines"]
        rows = table.as_text(run, {}).splitlines()
        self.assertEqual(len(rows), len(run) + 1)
        for each, row in zip(run, rows[1:]):
            self.assertIn(each["case"], row)
            self.assertRegex(row, r"\bmet$")

    def test_what_a_run_leaves_out_is_told(self):
        run = whole_run()["lines"]
        self.assertNotIn("not measured", table.summary(run, {}))
        self.assertIn("not measured: " + run[0]["case"], table.summary(run[1:], {}))
        self.assertIn(f"{len(run)} met, 0 missed", table.summary(run, {}))

    def test_the_readme_gets_the_table_between_its_marks_and_nothing_else(self):
        text = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        once = table.in_readme(text, whole_run())
        self.assertTrue(once.startswith(f"before\n{table.BEGIN}\n| ") and once.endswith(f"\n{table.END}\nafter\n"))
        self.assertNotIn("old", once)
        self.assertEqual(table.in_readme(once, whole_run()), once)

    def test_the_readme_has_these_marks(self):
        whole = table.in_readme(bench.TABLE.read_text(), whole_run())
        first = table.in_readme(bench.README.read_text(), whole_run(), table.FIRST)
        for case in targets.TARGETS:
            self.assertIn(f"| {case} |", whole)
            self.assertEqual(f"| {case} |" in first, case in table.FIRST)

    def test_the_readme_shows_the_largest_desk_of_what_has_a_target(self):
        results = {**whole_run(), "lines": [rate(), rate(calls=100_000), rate("$count")]}
        self.assertEqual(re.findall(r"^\| +([\d,]+) \|", table.as_markdown(results), re.MULTILINE), ["100,000"])


class QuestionTable(unittest.TestCase):
    def results(self):
        asked = [("administrator", 300, 200), ("analyst", 30_000, 4_000), ("user", 900, 20)]
        return {**whole_run(), "lines": [
            lines.line(f"of a list, open, {session}, 32 connections, raw libpq", ours, "us", calls=1_000_000, beside=floor,
                       of="raw libpq", ratios=[ours / floor], better="less") for session, ours, floor in asked]}

    def test_what_is_not_near_stands_out(self):
        row = question_table.whole(self.results()["lines"]).splitlines()[-1]
        self.assertEqual(row, "| of a list, open | 0.300 ms, 1.50 x | **30.0 ms, 7.50 x** | 0.900 ms, 45 x |")

    def test_the_readme_has_a_row_for_each_database_and_number_of_connections(self):
        row = question_table.overview(self.results()["lines"]).splitlines()[-1]
        self.assertEqual(row, "| PostgreSQL | 32 | 3 | 66.7 % | 7.50 x | 30.0 ms |")

    def test_it_stands_between_its_own_marks_and_moves_nothing_else(self):
        text = bench.README.read_text()
        once = question_table.put(text, self.results(), question_table.overview)
        self.assertIn("| PostgreSQL | 32 | 3 |", once)
        self.assertEqual(table.in_readme(once, whole_run(), table.FIRST).split(question_table.BEGIN)[1], once.split(question_table.BEGIN)[1])
        self.assertEqual(question_table.put(once, self.results(), question_table.overview), once)


class Chart(unittest.TestCase):
    def text_of(self, results):
        svg = xml.etree.ElementTree.fromstring(chart.draw(results))
        return svg, [each.text for each in svg.iter(SVG + "text")]

    def test_every_case_with_a_target_is_in_it_as_text(self):
        results = whole_run()
        svg, texts = self.text_of(results)
        for each in results["lines"]:
            name = each["case"].removesuffix(", growth")
            self.assertTrue(any(text.endswith(name) for text in texts), name)
        self.assertIn("met", svg.find(SVG + "desc").text)
        self.assertTrue(svg.find(SVG + "title").text)
        self.assertIn("prefers-color-scheme: dark", svg.find(SVG + "style").text)

    def test_bars_are_as_long_as_their_ratios_and_end_where_the_scale_does(self):
        for ratio, length in [(0.5, 0.5), (1.0, 1.0), (99, chart.MOST)]:
            svg, _ = self.text_of({**whole_run(), "lines": [rate(ratios=(ratio,))]})
            bars = [float(each.get("width")) for each in svg.iter(SVG + "rect") if each.get("x") == str(chart.BARS)]
            self.assertEqual(len(bars), 1)
            self.assertAlmostEqual(bars[0], chart.FULL * length, delta=0.1)

    def test_what_is_missed_is_drawn_otherwise(self):
        for ratio, kind in [(0.9, "met"), (0.1, "missed")]:
            svg, _ = self.text_of({**whole_run(), "lines": [rate(ratios=(ratio,))]})
            self.assertEqual([each.get("class") for each in svg.iter(SVG + "rect") if each.get("x") == str(chart.BARS)],
                             [kind])

    def test_the_desk_grows_with_a_limit_or_without(self):
        for case, limit in [("get by id, growth", True), ("304 by ETag, growth", False)]:
            run = [rate(case, (1.1,), "less", calls, "10,000 calls") for calls in (100_000, 1_000_000)]
            _, texts = self.text_of({**whole_run(), "lines": run})
            self.assertEqual("limit: 1.3 x" in texts, limit)
            self.assertIn("1,000,000 calls", texts)

    def test_labels_of_curves_stand_apart(self):
        self.assertEqual(chart.apart({"a": 10, "b": 12, "c": 60}, 17), {"a": 10, "b": 27, "c": 60})


class Runs(unittest.TestCase):
    def files(self, folder, *arguments):
        return bench.Files(bench.read_options(["--build", folder, *arguments]))

    def test_a_run_keeps_the_one_before_and_is_compared_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            files = self.files(folder)
            self.assertEqual(bench.lines_in(files.against), [])
            files.run.write_text(json.dumps({"lines": ["first"]}))
            self.assertEqual(bench.lines_in(files.against), ["first"])
            files.keep_last()
            self.assertEqual(bench.lines_in(files.last), ["first"])
            self.assertFalse(files.run.exists())
            files.run.write_text(json.dumps({"lines": ["second"]}))
            quick, only = self.files(folder, "--quick"), self.files(folder, "--only", "reads")
            self.assertEqual((quick.run.name, quick.against.name), ("bench.quick.json", "bench.quick.json"))
            self.assertEqual((only.run.name, only.against.name), ("bench.only.json", "bench.json"))
            only.keep_last()
            self.assertEqual(bench.lines_in(files.run), ["second"])
            self.assertEqual(self.files(folder, "--against", "x.json").against, pathlib.Path("x.json"))

    def test_only_takes_words_of_parts_and_cases(self):
        for words, part, case, wanted in [([], "reads", "get by id", True), (["READ"], "reads", "get by id", True),
                                          (["get"], "reads", "get by id", True), (["get"], "reads", "metadata", False),
                                          (["meta", "start"], "start", "x", True)]:
            options = bench.read_options(["--only", *words] if words else [])
            self.assertEqual(options.wants(part, case), wanted)
        self.assertFalse(bench.read_options(["--quick"]).wants("postgres", "create"))
        self.assertTrue(bench.read_options(["--quick", "--only", "postgres"]).wants("postgres", "create"))

    def test_the_readme_tells_of_whole_runs_alone(self):
        self.assertTrue(bench.read_options(["--readme"]).readme)
        self.assertTrue(bench.read_options(["--readme", "--only", "questions"]).readme)
        for arguments in (["--quick"], ["--only", "reads"]):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                bench.read_options(["--readme", *arguments])

    def test_each_target_is_of_a_case_that_is_measured(self):
        names = {name for module in bench.PARTS.values() for name in module.NAMES}
        for case in targets.TARGETS:
            known = re.sub(r", (beside (a scan|one to a commit, 2 ms a flush)|CPU above the floor's|growth)$", "", case)
            self.assertIn(known, names)

    def test_a_read_over_postgresql_is_judged_beside_the_floor_and_not_beside_pgbench(self):
        runs = {way: [{"rate": rate, "p50_ms": 1}] for way, rate in (("product", 70), ("floor", 100), ("pgbench", 300))}
        for case in postgres.READS:
            judged, told = postgres.lines_of_read(case, runs, 10_000)
            self.assertIn(judged["case"], postgres.NAMES)
            self.assertEqual((judged["ratios"], lines.verdict(judged)), ([0.7], "met"))
            self.assertEqual((told["case"], told["of"]), (judged["case"] + ", beside pgbench", "pgbench"))
            self.assertEqual((told["beside"], lines.verdict(told)), (300, ""))

    def test_values_become_lua(self):
        self.assertEqual(asks.lua({"path": 'a"b', "body": None, "keys": 3}), '{path = "a\\"b", keys = 3}')

    def test_a_percentile_is_a_value_of_the_list(self):
        self.assertEqual([connections.percentile([3, 1, 2], percent) for percent in (0, 50, 99)], [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
