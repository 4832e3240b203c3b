#include "engine/base/text.h"

#include <catch2/catch.hpp>

namespace callisto::text {

TEST_CASE("Only well-formed UTF-8 is text") {
  for (const char* good : {"", "abc", "Zürich", "Привет", "日本", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    INFO(good);
    CHECK(is_utf8(good));
  }
  for (const char* bad :
       {"\x80", "\xC3", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xF0\x80\x80\xAF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF", "abcdefghi\xE2\x82", "\xE2\x28\xA1"}) {
    INFO(bad);
    CHECK_FALSE(is_utf8(bad));
  }
  CHECK(is_utf8(std::string_view("a\0b", 3)));
  CHECK(valid_prefix("Zürich") == 7);
  CHECK(valid_prefix("more than eight \xE2\x82") == 16);
  CHECK(well_formed("Zürich") == "Zürich");
  CHECK(well_formed("\xE2\x82Z\xFFü\x80") == "\uFFFD\uFFFDZ\uFFFDü\uFFFD");
}

TEST_CASE("Length and column count characters") {
  CHECK(length("") == 0);
  CHECK(length("Zürich") == 6);
  CHECK(length("\xF0\x9F\x98\x80!") == 2);
  CHECK(column("Zürich", 0) == 1);
  CHECK(column("Zürich", 1) == 2);
  CHECK(column("Zürich", 2) == 2);  // inside the ü
  CHECK(column("Zürich", 3) == 3);
  CHECK(column("Zürich", 7) == 7);
  CHECK(column("Zürich", 99) == 7);
}

// What SQL relies on that folds one part of the table after the other.
TEST_CASE("The table of folding is what fold() does outside ASCII, and its own folding is no part of it") {
  const FoldTable table = fold_table();
  CHECK(length(table.from) > 1300);
  CHECK(length(table.from) == length(table.to));
  CHECK(fold(table.from) == table.to);
  CHECK(fold(table.to) == table.to);
  CHECK(table.from.find("\xE2\x84\xAA") != std::string::npos);  // the Kelvin sign
  CHECK(table.from.find('K') == std::string::npos);
  CHECK(unicode_version().find('.') != std::string::npos);
}

TEST_CASE("Folding is Unicode's simple folding") {
  CHECK(fold("STRASSE Straße") == "strasse straße");  // ß keeps its one character
  CHECK(fold("ẞ") == "ß");
  CHECK(fold("ΣΑΣ σας") == "σασ σασ");  // final sigma folds to sigma
  CHECK(fold("ПРИВЕТ") == "привет");
  CHECK(fold("İI") == "İi");                              // only full and Turkic folding change the dotted capital
  CHECK(fold("\xE2\x84\xAA") == "k");                     // the Kelvin sign
  CHECK(fold("É") != fold("E"));                          // accents count
  CHECK(fold("\xF0\x90\x90\x80") == "\xF0\x90\x90\xA8");  // Deseret, beyond the basic plane
  CHECK(fold("A\x80"
             "B") ==
        "a\xEF\xBF\xBD"
        "b");
}

TEST_CASE("Upper case maps one character to one") {
  CHECK(upper("straße") == "STRAßE");
  CHECK(upper("привет é") == "ПРИВЕТ É");
}

TEST_CASE("Folded comparison orders by code point") {
  CHECK(compare_folded("", "") == 0);
  CHECK(compare_folded("Printer", "pRINTER") == 0);
  CHECK(compare_folded("ΣΑΣ", "σας") == 0);
  CHECK(compare_folded("a", "B") < 0);
  CHECK(compare_folded("Z", "_") > 0);  // folded z stands behind the underscore
  CHECK(compare_folded("ab", "ABC") < 0);
  CHECK(compare_folded("abc", "AB") > 0);
  CHECK(compare_folded("z", "é") < 0);
  CHECK(compare_folded("\xEF\xBF\xBC", "\xF0\x9F\x98\x80") < 0);  // not so in UTF-16 order
  CHECK(compare_folded("\xE2\x84\xAA", "K") == 0);
}

TEST_CASE("Containment ignores case wherever the needle stands") {
  CHECK(contains_folded("anything", ""));
  CHECK_FALSE(contains_folded("", "a"));
  CHECK(contains_folded("The Printer on floor 3 is OFFLINE", "offline"));
  CHECK(contains_folded("PRINTER", "printer"));
  CHECK_FALSE(contains_folded("The printer on floor 3", "printers"));
  CHECK(contains_folded("aaaaaaaaaaab", "aab"));
  CHECK(contains_folded("100% of_it", "% of_"));
  CHECK_FALSE(contains_folded("100 of it", "%"));
  CHECK(contains_folded("Das GRÜNE Licht", "grüne"));
  CHECK(contains_folded("ÄÖÜ ist ÄRGER", "ärger"));
  CHECK(contains_folded("273 \xE2\x84\xAA", "3 k"));
  CHECK_FALSE(contains_folded("{[", "k"));
  CHECK_FALSE(contains_folded("`", "@"));  // they differ in the bit that parts the cases of letters
}

TEST_CASE("A needle is found at every offset of a long text") {
  for (std::size_t offset = 0; offset < 40; ++offset) {
    INFO(offset);
    const std::string haystack = std::string(offset, '-') + "NeeDle" + std::string(5, '-');
    CHECK(contains_folded(haystack, "needle"));
    CHECK(contains_folded(haystack, "e-"));
    CHECK(contains_folded(haystack, "l"));
    CHECK(contains_folded(std::string(offset, '-') + "N\xE2\x84\xAA", "nk"));
    CHECK(contains_folded(std::string(offset, '-') + "\xE2\x84\xAAN", "kn"));
    CHECK_FALSE(contains_folded(haystack, "needles"));
    CHECK(contains_folded("é" + haystack, "needle--"));
  }
}

TEST_CASE("Beginning and end ignore case on both sides") {
  CHECK(starts_with_folded("Printer", "PRI"));
  CHECK(starts_with_folded("Ärger", "äR"));
  CHECK(starts_with_folded("x", ""));
  CHECK_FALSE(starts_with_folded("Pri", "Print"));
  CHECK(ends_with_folded("Printer", "TER"));
  CHECK(ends_with_folded("Café", "FÉ"));
  CHECK(ends_with_folded("σας", "ΣΑΣ"));
  CHECK(ends_with_folded("x", ""));
  CHECK_FALSE(ends_with_folded("er", "Printer"));
  CHECK_FALSE(ends_with_folded("Café", "\xA9"));  // half a character is no end
}

TEST_CASE("ASCII helpers leave other characters alone") {
  CHECK(equals_ignoring_ascii_case("Content-Type", "content-TYPE"));
  CHECK_FALSE(equals_ignoring_ascii_case("a", "ab"));
  CHECK_FALSE(equals_ignoring_ascii_case("É", "é"));
  CHECK(ascii_lower("ABC É") == "abc É");
  CHECK(trim(" \t a b\r\n") == "a b");
  CHECK(trim(" \t").empty());
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
}

TEST_CASE("The nearest name is suggested only when it is near") {
  const std::vector<std::string_view> names = {"Status", "Subject", "Description", "Ref"};
  CHECK(nearest("Staus", names) == "Status");
  CHECK(nearest("Sujbect", names) == "Subject");  // two letters changed places
  CHECK(nearest("STATUS", names) == "Status");
  CHECK(nearest("descripton", names) == "Description");
  CHECK(nearest("Ref", names) == "Ref");
  CHECK(nearest("Ret", names) == "Ref");
  CHECK(nearest("Colour", names).empty());
  CHECK(nearest(std::string(10000, 'x'), names).empty());
  CHECK(nearest("x", {}).empty());
  CHECK(nearest("name", {"nome", "Name"}) == "Name");  // case counts half
}

TEST_CASE("Names turn from kebab to Pascal case and back") {
  CHECK(pascal_case("take-ownership") == "TakeOwnership");
  CHECK(pascal_case("call") == "Call");
  CHECK(kebab_case("CallHistory") == "call-history");
  CHECK(kebab_case("SLATarget") == "sla-target");
  CHECK(kebab_case("call") == "call");
}

TEST_CASE("Quoted text is cut in characters and always valid") {
  CHECK(quoted("x") == "'x'");
  CHECK(quoted(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(quoted(std::string(61, 'x')) == "'" + std::string(60, 'x') + "...'");
  CHECK(quoted("ääää", 3) == "'äää...'");
  CHECK(quoted("\xFF") == "'\xEF\xBF\xBD'");
}

}  // namespace callisto::text
