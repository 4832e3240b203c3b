// The names of one OpenAPI document: of schemas, parameters, responses and operations. Generators drop dots, dollars
// and underscores, write a name in their language's way and add words such as Params to it; here no two names are the
// same after that, whatever the catalog. Desks keep their names: only of two that meet the later one gets a number. One
// thread, while a document is written.
//   Call            a record of call, as GET and a search answer it    CallPage         what a search of call answers
//   CallUpdateInput the body of PUT                                    CallLendInput    the body of the action lend
//   Call.Search     an operation                                       ApiError         what every request shares
#pragma once

#include "engine/catalog/catalog.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace callisto::api {

// "Call.Search_2" and "callSearch2" are the same to a generator.
std::string folded(std::string_view name);

class OpenApiNames {
 public:
  explicit OpenApiNames(const catalog::Catalog& catalog);

  // Of schemas.
  const std::string& record(const catalog::Entity& entity) const;
  const std::string& page(const catalog::Entity& entity) const;
  const std::string& input(const catalog::Entity& entity, const catalog::Action& action) const;
  const std::string& answer(const catalog::Entity& entity, const catalog::Action& action) const;

  // Of an operation, once each: "Call.Search".
  std::string operation(const catalog::Entity& entity, std::string_view what);

 private:
  void claim_schema(const std::string& key, const std::string& wanted);
  bool is_free(const std::string& name, bool of_operation) const;
  std::string claim(const std::string& wanted, bool of_operation);
  const std::string& at(const std::string& key) const;

  std::set<std::string, std::less<>> taken_;  // folded
  std::map<std::string, std::string, std::less<>> schemas_;
};

}  // namespace callisto::api
