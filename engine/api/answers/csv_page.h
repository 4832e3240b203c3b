// A page as CSV (RFC 4180), for clients that ask by "Accept: text/csv": a line of names, then one for each row. A
// property reached over lookups or a join is named by its path, "User.Name". Immutable; any thread.
#pragma once

#include "engine/query/plan.h"
#include "engine/records/extensions.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

struct CsvWish {
  bool is_wanted = false;
  // Cells that spreadsheets would take for formulas get an apostrophe in front: "text/csv;formulas=text".
  bool disarms_formulas = false;
};

// What an Accept header wishes: CSV where it weighs more than JSON.
CsvWish csv_wish(std::string_view accept);

class CsvWriter {
 public:
  CsvWriter(const query::Plan& plan, bool disarms_formulas);

  void append_names(std::string& out) const;
  // Extensions stay out: `gaps` gets where they belong, in order.
  void append_row(std::string& out, const records::Row& row, std::vector<std::size_t>& gaps) const;
  // The page with what the extensions say, which `plan` has `values` of.
  std::string filled(const std::string& page, const std::vector<std::size_t>& gaps,
                     const std::vector<records::Extensions::Values>& values) const;

 private:
  struct Column {
    std::string name;
    const query::ShapeNode* shape;
  };
  void add(const std::vector<query::ShapeNode>& shapes, const std::string& path);
  void append_cell(std::string& out, std::string_view text) const;
  void append_value(std::string& out, const Value& value) const;

  std::vector<Column> columns_;
  std::size_t extensions_ = 0;  // of a row
  const bool disarms_formulas_;
};

}  // namespace callisto::api
