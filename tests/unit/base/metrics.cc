#include "engine/base/metrics.h"

#include "tests/support/metrics_text.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using test::MetricsReader;

}  // namespace

TEST_CASE("a histogram counts each observation below the bounds that hold it") {
  Histogram histogram;
  for (const std::int64_t time : {0, 250, 251, 1'000'000, 99'000'000}) histogram.observe(time);
  MetricsText text;
  text.family("x_seconds", "histogram", "help");
  text.histogram(histogram.counts(), {{"route", "a"}});
  const auto read = MetricsReader::read(text.take());
  CHECK(read.problem.empty());
  CHECK(read.value("x_seconds_bucket", {{"le", "0.00025"}}) == 2);
  CHECK(read.value("x_seconds_bucket", {{"le", "0.0005"}}) == 3);
  CHECK(read.value("x_seconds_bucket", {{"le", "1"}}) == 4);
  CHECK(read.value("x_seconds_bucket", {{"le", "10"}}) == 4);
  CHECK(read.value("x_seconds_bucket", {{"le", "+Inf"}}) == 5);
  CHECK(read.value("x_seconds_count") == 5);
  CHECK(read.value("x_seconds_sum") == Approx(100.000501));
}

TEST_CASE("labels and help hold what would break out of them") {
  MetricsText text;
  text.family("x", "gauge", "one\ntwo\\");
  text.sample(-1.5, {{"a", "q\"b\\s\nn"}, {"b", ""}});
  const std::string all = text.take();
  CHECK(all == "# HELP x one\\ntwo\\\\\n# TYPE x gauge\nx{a=\"q\\\"b\\\\s\\nn\",b=\"\"} -1.5\n");
  CHECK(MetricsReader::read(all).problem.empty());
}

TEST_CASE("OpenMetrics takes the ending of counters off the family, writes bounds with a point, and ends") {
  MetricsText text(MetricsFormat::OpenMetrics);
  text.counter("x_total", "say \"x\"", 3);
  text.gauge("y", "help", 2);
  text.family("z_seconds", "histogram", "help");
  text.histogram({}, {});
  const std::string all = text.take();
  CHECK(all.starts_with("# HELP x say \\\"x\\\"\n# TYPE x counter\nx_total 3\n# HELP y help\n# TYPE y gauge\ny 2\n"));
  CHECK(all.find("z_seconds_bucket{le=\"1.0\"} 0\n") != all.npos);
  CHECK(all.find("z_seconds_bucket{le=\"0.25\"} 0\n") != all.npos);
  CHECK(all.find("z_seconds_bucket{le=\"+Inf\"} 0\n") != all.npos);
  CHECK(all.ends_with("\n# EOF\n"));
}

TEST_CASE("the reader of these tests refuses what is wrong") {
  for (const char* wrong :
       {"x 1", "x 1\n", "# TYPE x counter\nx 1\n", "# TYPE x gauge\ny 1\n", "# TYPE x gauge\nx 1\nx 2\n",
        "# TYPE x gauge\nx{a=1} 1\n", "# TYPE x gauge\nx{a=\"1\"\n", "# TYPE x gauge\nx one\n",
        "# TYPE x histogram\nx_bucket{le=\"1\"} 2\nx_bucket{le=\"+Inf\"} 1\n",
        "# TYPE x histogram\nx_bucket{le=\"+Inf\"} 1\nx_sum 1\nx_count 2\n", "# other\n", ""}) {
    INFO(wrong);
    CHECK_FALSE(MetricsReader::read(wrong).problem.empty());
  }
}
