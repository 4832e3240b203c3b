#include "engine/query/sql/substrings.h"

#include "engine/base/text.h"
#include "engine/base/text_numbers.h"
#include "engine/base/text_prefix.h"
#include "engine/catalog/partitions.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace callisto::query::emit {
namespace {

using Kind = Predicate::Kind;

constexpr std::size_t shortest = 3;    // characters of a trigram
constexpr std::size_t most_words = 8;  // of one `||`: each is a search of its own
constexpr std::size_t most_terms = 4;  // of one `&&`

// Every row that satisfies a predicate holds one of these literals. `length`: of the shortest; 0: nothing is known.
struct Words {
  std::size_t length = 0;
  std::vector<ConstantRef> any_of;
};

// An augmenter's text is not known before the statement is made, and FTS5 reads no text beyond U+0000.
Words words_of_text(const Plan& plan, const Predicate& predicate) {
  const Path& path = std::get<Path>(predicate.left);
  const ConstantRef constant = std::get<ConstantRef>(predicate.right);
  const auto* words = std::get_if<std::string>(&plan.constants[constant.index].value);
  if (!is_own(path) || !path.property->searchable || !words) return {};
  const std::size_t length = text::length(*words);
  if (length < shortest || words->find('\0') != words->npos) return {};
  return {length, {constant}};
}

Words words_of(const Plan& plan, const Predicate& predicate) {
  if (predicate.kind == Kind::Text) return words_of_text(plan, predicate);
  Words result;
  if (predicate.kind == Kind::And) {
    for (const Predicate& child : predicate.children)
      if (Words words = words_of(plan, child); words.length > result.length) result = std::move(words);
  } else if (predicate.kind == Kind::Or) {
    for (const Predicate& child : predicate.children) {
      const Words words = words_of(plan, child);
      if (words.length == 0) return {};
      result.length = result.any_of.empty() ? words.length : std::min(result.length, words.length);
      result.any_of.insert(result.any_of.end(), words.any_of.begin(), words.any_of.end());
    }
    if (result.any_of.size() > most_words) return {};
  }
  return result;
}

// Every row satisfies each of them; the longest first, which are the rarest, as far as one can tell without looking.
std::vector<Words> all_words(const Plan& plan) {
  std::vector<Words> all;
  if (!plan.filter || plan.entity->key.size() != 1) return all;
  for (const Predicate* term : terms_of(*plan.filter))
    if (Words words = words_of(plan, *term); words.length > 0) all.push_back(std::move(words));
  std::stable_sort(all.begin(), all.end(), [](const Words& a, const Words& b) { return a.length > b.length; });
  if (all.size() > most_terms) all.resize(most_terms);
  return all;
}

// The byte behind `characters` more characters of UTF-8.
std::size_t after(std::string_view text, std::size_t begin, std::size_t characters) {
  const auto continues = [text](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  for (; characters > 0; --characters) {
    ++begin;
    while (continues(begin)) ++begin;
  }
  return begin;
}

// ("abc" AND "def" AND "efg"): side by side, and the last three characters. Those in between would only make the search
// slower: their order is not kept anyway, and the filter decides in the end.
std::string trigrams(std::string_view words) {
  std::string query;
  const auto add = [&query, words](std::size_t begin) {
    query += query.empty() ? "(\"" : " AND \"";
    for (const char c : words.substr(begin, after(words, begin, shortest) - begin))
      query += c == '"' ? "\"\"" : std::string(1, c);
    query += '"';
  };
  const std::size_t length = text::length(words);
  std::size_t begin = 0;
  for (std::size_t i = 0; i + shortest <= length; i += shortest, begin = after(words, begin, shortest)) add(begin);
  if (length % shortest != 0) add(after(words, 0, length - shortest));
  return query + ")";
}

std::string like_pattern(std::string_view words) {
  std::string pattern;
  for (const char c : words) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

namespace {

// Rows of other partitions can be told from those that the session sees.
bool is_told(const Plan& plan, const Scope& scope) {
  if (scope.access)
    for (const catalog::Entity* type : plan.entity->root().final_types())
      if (const auto limit = scope.access->find(type); limit != scope.access->end() && !limit->second.all) return false;
  return !scope.partitions || catalog::partitioned_types(plan.entity->root()).empty() ||
         catalog::texts_stand_by_partition(*plan.entity);
}

// SELECT of the partitions in which rows of the searched entity that the session sees may stand.
Sql partitions(Tables& tables) {
  const catalog::Entity& entity = *tables.plan.entity;
  std::vector<Sql> values;
  if (!catalog::open_types(entity).empty()) values.push_back(Sql("-1"));
  if (!catalog::partitioned_types(entity).empty())
    for (const Sql& each : tables.partitions()) values.push_back(each);
  Sql sql;
  for (const Sql& value : values)
    sql << (sql.empty() ? SqlLiteral("SELECT ") : SqlLiteral(" UNION ALL SELECT ")) << value << " AS partition";
  return values.empty() ? Sql("SELECT 0 AS partition WHERE 0") : sql;
}

}  // namespace

bool has_candidates(const Plan& plan, const Scope& scope) {
  return !plan.names_deleted && !scope.with_deleted && is_told(plan, scope) && !all_words(plan).empty();
}

bool has_words(const Plan& plan, const Predicate& term) { return words_of(plan, term).length > 0; }

Sql candidates(Tables& tables) {
  const catalog::Entity& entity = *tables.plan.entity;
  const SqlIdentifier index = entity.table.beside("trigrams");
  const bool by_partition = catalog::texts_stand_by_partition(entity);
  const Sql number = Sql() << index << ".rowid";
  Sql sql("SELECT ");
  sql << (by_partition ? text_numbers::key(number) : number) << " FROM ";
  if (by_partition && tables.scope.partitions) sql << "(" << partitions(tables) << ") CROSS JOIN ";
  sql << index << " WHERE " << index << " MATCH ";
  const auto all = all_words(tables.plan);
  for (const Words& words : all) {
    if (&words != &all.front()) sql << " || ' AND ' || ";
    const bool is_enclosed = all.size() > 1 && words.any_of.size() > 1;
    if (is_enclosed) sql << "'(' || ";
    for (const ConstantRef& word : words.any_of) {
      if (&word != &words.any_of.front()) sql << " || ' OR ' || ";
      sql << tables.parameter(ConstantBinding{word.index, TextForm::Trigrams});
    }
    if (is_enclosed) sql << " || ')'";
  }
  if (by_partition && tables.scope.partitions) {
    const Sql partition("partition");
    sql << " AND " << number << " BETWEEN " << text_numbers::first(partition) << " AND "
        << text_numbers::last(partition);
  }
  return sql << " UNION ALL SELECT key FROM " << entity.table.beside("unindexed");
}

Condition among_candidates(Tables& tables, const Sql& table) {
  Sql sql = column(table, *tables.plan.entity->key.front());
  return {sql << " IN (" << candidates(tables) << ")", 12};
}

std::string in_form(TextForm form, const std::string& words) {
  switch (form) {
    case TextForm::AsIs:
      return words;
    case TextForm::Folded:
      return text::fold(words);
    case TextForm::PrefixEnd:
      return text::end_of_prefix(words);
    case TextForm::Trigrams:
      return trigrams(text::fold(words));
    case TextForm::LikePattern:
      return "%" + like_pattern(text::fold(words)) + "%";
    case TextForm::LikeBeginning:
      return like_pattern(text::fold(words)) + "%";
    case TextForm::LikeEnd:
      return "%" + like_pattern(text::fold(words));
  }
  return words;
}

}  // namespace callisto::query::emit
