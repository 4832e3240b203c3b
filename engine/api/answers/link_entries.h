// The `_links` of an entity's metadata (templates) and of a record (filled in): Get, Search, sub-resources, lookups
// (API rules 3.1, 3.2). Any thread.
#pragma once

#include "engine/api/answers/property_view.h"
#include "engine/api/links.h"
#include "engine/catalog/catalog.h"
#include "engine/json/write.h"
#include "engine/query/plan.h"
#include "engine/records/record.h"
#include "engine/records/search.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

// Writes members into an object that the caller has begun. With a record, loaded whole, they are filled in, and lookups
// that are empty are left out.
void write_entity_links(json::Writer& writer, const catalog::Entity& entity, std::string_view version,
                        const records::Record* record = nullptr, const PropertyView& view = {});

// A record's links, ready but for the keys. Lookups are linked where the row holds a key of theirs among its columns.
class RecordLinks {
 public:
  RecordLinks(const query::Plan& plan, std::string_view version, const PropertyView& view);

  // The members of `_links`. `type`: the row's final type.
  void append(std::string& out, const catalog::Entity& type, std::int64_t key, const records::Row& row) const;

 private:
  struct Own {
    const catalog::Entity* type = nullptr;
    KeyedText text;
  };
  struct Lookup {
    std::size_t column = 0;
    KeyedText text;
  };
  std::vector<Own> own_;
  std::vector<Lookup> lookups_;
};

}  // namespace callisto::api
