#include "engine/app/opening/database_url.h"

#include <catch2/catch.hpp>

#include <string>

using namespace callisto::app;

TEST_CASE("a url is shown without its password") {
  struct Case {
    std::string url, shown;
  };
  const Case cases[]{
      {"sqlite:data/a:b@c.db", "sqlite:data/a:b@c.db"},
      {"postgresql://host/desk", "postgresql://host/desk"},
      {"postgresql://host:5432/desk", "postgresql://host:5432/desk"},
      {"postgresql://me@host:5432/desk", "postgresql://me@host:5432/desk"},
      {"postgresql://me:pw@host:5432/desk", "postgresql://me@host:5432/desk"},
      {"postgresql://me:@host/desk", "postgresql://me@host/desk"},
      {"postgresql://:pw@host/desk", "postgresql://@host/desk"},
      {"postgresql://me:p:w@a:1,b:2/desk", "postgresql://me@a:1,b:2/desk"},
      {"postgresql://me:p/w@x@host/desk", "postgresql://me@host/desk"},
      {"postgresql://me:p?w@host/desk?a=b", "postgresql://me@host/desk?a=b"},
      {"postgresql://me:pw@[::1]:5432/desk", "postgresql://me@[::1]:5432/desk"},
      {"postgresql://[::1]:5432/desk", "postgresql://[::1]:5432/desk"},
      {"postgresql:///desk?host=/run/x&user=me", "postgresql:///desk?host=/run/x&user=me"},
      {"postgresql:///desk?password=pw", "postgresql:///desk"},
      {"postgresql:///desk?password=pw&user=me", "postgresql:///desk?user=me"},
      {"postgresql://me:pw@h/d?user=me&sslpassword=pw&password=pw&sslmode=require",
       "postgresql://me@h/d?user=me&sslmode=require"},
  };
  for (const Case& each : cases) {
    INFO(each.url);
    CHECK(without_password(each.url) == each.shown);
    CHECK(has_password(each.url) == (each.url != each.shown));
  }
}

TEST_CASE("one word of a command line") { CHECK(shell_quoted("a b'c$d") == R"('a b'\''c$d')"); }

TEST_CASE("a url asks for a server that takes writes, unless it says what will do") {
  CHECK(of_primary("postgresql://d@h/desk") == "postgresql://d@h/desk?target_session_attrs=read-write");
  CHECK(of_primary("postgresql:///desk?host=/run/p") ==
        "postgresql:///desk?host=/run/p&target_session_attrs=read-write");
  CHECK(of_primary("postgresql://d@a,b/desk?target_session_attrs=primary") ==
        "postgresql://d@a,b/desk?target_session_attrs=primary");
}
