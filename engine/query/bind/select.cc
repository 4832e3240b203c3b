#include "engine/base/text.h"
#include "engine/query/bind/binder.h"
#include "engine/query/parse/parse.h"

#include <algorithm>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::AugmenterKind;
using catalog::DataType;
using catalog::Property;
using Shape = ShapeNode::Kind;

ShapeNode* find_node(std::vector<ShapeNode>& nodes, std::string_view name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [name](const ShapeNode& node) { return node.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

ShapeNode value_node(Plan& plan, std::string_view name, const Named& named) {
  ShapeNode node;
  node.name = name;
  node.column = column_of(plan, named.path);
  node.property = named.property;
  return node;
}

// What an object of `entity`, reached by `hops` from `source`, needs for its links and to be seen as missing.
void make_object(Draft& draft, ShapeNode& node, const catalog::Entity& entity, std::size_t source,
                 const std::vector<const Property*>& hops) {
  const auto column = [&](Path path) { return column_of(draft.plan, draft.names.guarded(std::move(path))); };
  node.kind = Shape::Object;
  node.entity = &entity;
  for (const Property* part : entity.key) node.key_columns.push_back(column(Path{source, hops, part}));
  if (entity.type_column) node.type_column = column(Path{source, hops, entity.type_column});
  if (hops.empty()) return;  // an alias has no bare key
  Path bare{source, hops, hops.back()};
  bare.hops.pop_back();
  node.bare_key_column = column(std::move(bare));
}

class SelectBinder {
 public:
  enum class Of { Records, Groups };
  SelectBinder(Draft& draft, const Source& source, Of of)
      : draft_(draft), plan_(draft.plan), source_(source), of_(of), use_(of == Of::Groups ? Use::Sort : Use::Select) {}

  Result<void> run(const std::vector<SelectItem>& items) {
    // What `*` brings can be named again without being selected twice, wherever it stands in the list.
    const auto is_all = [](const SelectItem& item) { return std::holds_alternative<std::monostate>(item.what); };
    if (of_ == Of::Groups) CALLISTO_CHECK(check_groups(items));
    if (std::any_of(items.begin(), items.end(), is_all)) select_public(draft_);
    implicit_ = plan_.shape.size();
    for (const SelectItem& item : items) {
      if (!is_all(item)) CALLISTO_CHECK(add(item));
    }
    return {};
  }

 private:
  // What a record alone has.
  Result<void> check_groups(const std::vector<SelectItem>& items) const {
    for (const SelectItem& item : items) {
      const auto* augmenter = std::get_if<Segment>(&item.what);
      if (augmenter)
        return source_.refused(augmenter->at, "@" + std::string(augmenter->name),
                               "an augmenter is computed for each record; a group is made of properties");
      if (std::holds_alternative<std::monostate>(item.what))
        return source_.refused(item.at, "*", "name the properties that make a group", {}, {"a property"});
    }
    return {};
  }

  Result<void> add(const SelectItem& item) {
    if (const auto* augmenter = std::get_if<Segment>(&item.what)) return add_extension(item, *augmenter);
    const PathName& path = std::get<PathName>(item.what);
    return item.alias.name.empty() ? add_path(path) : add_flat(item, path);
  }

  Result<void> check_free(const Segment& name) {
    if (name.name[0] == '_')
      return source_.refused(name.at, name.name, "names that begin with '_' are the server's own");
    if (find_node(plan_.shape, name.name)) return taken(name);
    return {};
  }
  Error taken(const Segment& name) const {
    return source_.refused(name.at, name.name,
                           text::quoted(name.name) + " is selected twice; give one of them an alias");
  }

  // Alias:Path, the value flat.
  Result<void> add_flat(const SelectItem& item, const PathName& path) {
    CALLISTO_TRY(const Named named, draft_.names.resolve(path, source_, use_));
    CALLISTO_CHECK(check_free(item.alias));
    plan_.shape.push_back(value_node(plan_, item.alias.name, named));
    return {};
  }

  // A path: objects for the alias and for each lookup on the way, then the value.
  Result<void> add_path(const PathName& path) {
    CALLISTO_TRY(const Named named, draft_.names.resolve(path, source_, use_));
    std::vector<ShapeNode>* level = &plan_.shape;
    const std::size_t source = named.path.source;
    std::size_t next = 0;
    if (source > 0) {
      CALLISTO_TRY(level, enter(*level, path.segments[next], *plan_.joins[source - 1].target, source, {}));
      ++next;
    }
    std::vector<const Property*> hops;
    for (const Property* hop : named.path.hops) {
      hops.push_back(hop);
      CALLISTO_TRY(level, enter(*level, path.segments[next], *hop->target, source, hops));
      ++next;
    }
    return add_value(*level, path.segments[next], named);
  }

  // The children of the object called `name`, which is made where it is new or stands there as a bare key.
  Result<std::vector<ShapeNode>*> enter(std::vector<ShapeNode>& level, const Segment& name,
                                        const catalog::Entity& entity, std::size_t source,
                                        const std::vector<const Property*>& hops) {
    ShapeNode* node = find_node(level, name.name);
    if (!node) {
      node = &level.emplace_back();
      node->name = name.name;
      if (of_ == Of::Records) make_object(draft_, *node, entity, source, hops);
      else node->kind = Shape::Object;
      return &node->children;
    }
    if (node->kind == Shape::Object) return &node->children;
    const bool bare = !hops.empty() && is_value_of(*node, hops.back(), source, hops);
    if (!bare) return taken(name);
    make_object(draft_, *node, entity, source, hops);
    return &node->children;
  }

  bool is_value_of(const ShapeNode& node, const Property* lookup, std::size_t source,
                   std::vector<const Property*> hops) const {
    hops.pop_back();
    return node.kind == Shape::Value &&
           plan_.columns[node.column] == draft_.names.guarded(Path{source, std::move(hops), lookup});
  }

  Result<void> add_value(std::vector<ShapeNode>& level, const Segment& name, const Named& named) {
    ShapeNode* there = find_node(level, name.name);
    if (!there) {
      level.push_back(value_node(plan_, name.name, named));
      return {};
    }
    // A lookup selected bare and below is the object (API rule 2.1).
    if (there->kind == Shape::Object && named.property->type == DataType::Lookup) {
      if (there->key_columns.empty()) make_whole(*there, named);
      return {};
    }
    const bool from_all = &level == &plan_.shape && there < plan_.shape.data() + implicit_;
    const bool same = there->kind == Shape::Value && there->property == named.property;
    if (from_all && same) return {};
    return taken(name);
  }

  // Groups of a lookup have a related row each, whose values stood there without it.
  void make_whole(ShapeNode& node, const Named& lookup) {
    std::vector<const Property*> hops = lookup.path.hops;
    hops.push_back(lookup.path.property);
    make_object(draft_, node, *lookup.path.property->target, lookup.path.source, hops);
  }

  Result<void> add_extension(const SelectItem& item, const Segment& name) {
    CALLISTO_TRY(const catalog::Augmenter* augmenter, find_extension(name));
    const Segment shown = item.alias.name.empty() ? name : item.alias;
    CALLISTO_CHECK(check_free(shown));
    ExtensionUse use{augmenter, std::string(shown.name), {}};
    for (const std::string& need : augmenter->needs) {
      CALLISTO_TRY(const std::size_t column, need_column(*augmenter, need, name));
      use.need_columns.push_back(column);
    }
    ShapeNode node;
    node.kind = Shape::Extension;
    node.name = shown.name;
    node.extension = plan_.extensions.size();
    plan_.extensions.push_back(std::move(use));
    plan_.shape.push_back(std::move(node));
    plan_.augmenters.push_back({augmenter, std::string(source_.option()), source_.column(name.at)});
    return {};
  }

  Result<const catalog::Augmenter*> find_extension(const Segment& name) const {
    const catalog::Augmenter* found = plan_.entity->find_augmenter(name.name);
    if (found && found->kind == AugmenterKind::Extension) return found;
    const std::string label = "@" + std::string(name.name);
    if (found)
      return source_.refused(name.at, label,
                             label + " is a " + catalog::name(found->kind) + "; only extensions can be selected");
    std::vector<std::string_view> known;
    for (const catalog::Augmenter* each : plan_.entity->augmenters)
      if (each->kind == AugmenterKind::Extension) known.push_back(each->name);
    std::string suggestion = text::nearest(name.name, known);
    if (!suggestion.empty()) suggestion.insert(0, 1, '@');
    return source_.refused(name.at, label, text::quoted(label) + " is no extension of " + plan_.entity->name,
                           std::move(suggestion), {"an extension of " + plan_.entity->name});
  }

  // What a script asks to be fetched with the page; a mistake in it is told at the place that named the extension.
  Result<std::size_t> need_column(const catalog::Augmenter& augmenter, const std::string& need, const Segment& name) {
    const std::string label = "@" + augmenter.name;
    const Source needs(label, need);
    TokenReader in(needs);
    auto path = parse_path(in, "a property");
    if (!path) return unusable(label, name, path.error());
    auto named = draft_.names.resolve(*path, needs, Use::Own);
    if (!named) return unusable(label, name, named.error());
    return column_of(plan_, std::move(named->path));
  }
  Error unusable(const std::string& label, const Segment& name, const Error& why) const {
    return source_.refused(name.at, label, label + " cannot be used on " + plan_.entity->name + ": " + why.message);
  }

  Draft& draft_;
  Plan& plan_;
  const Source& source_;
  const Of of_;
  const Use use_;
  std::size_t implicit_ = 0;  // nodes that `*` brought, first in the shape
};

}  // namespace

Result<void> bind_select(Draft& draft, const Source& source) {
  CALLISTO_TRY(const std::vector<SelectItem> items, parse_select(source, draft.limits));
  return SelectBinder(draft, source, SelectBinder::Of::Records).run(items);
}

Result<void> bind_groupby(Draft& draft, const Source& source) {
  CALLISTO_TRY(const std::vector<SelectItem> items, parse_select(source, draft.limits));
  CALLISTO_CHECK(SelectBinder(draft, source, SelectBinder::Of::Groups).run(items));
  for (const Path& path : draft.plan.columns)
    if (path.property->type == DataType::Binary)
      return source.refused(0, path.property->name,
                            text::quoted(path.property->name) + " is Binary, which makes no groups");
  return {};
}

namespace {

void select_own(Draft& draft, const Property& property) {
  if (!draft.names.may_name(property)) return;
  const Path path = draft.names.guarded({0, {}, stored(property)});
  draft.plan.shape.push_back(value_node(draft.plan, property.name, {path, &property}));
}

}  // namespace

void select_summary(Draft& draft) {
  for (const Property* property : draft.plan.entity->summary) select_own(draft, *property);
}

// Every Public property but Binary, in order of declaration; a query alias is no property of its own.
void select_public(Draft& draft) {
  for (const Property* property : draft.plan.entity->properties) {
    if (property->internal || property->query_alias || property->type == DataType::Binary) continue;
    if (!find_node(draft.plan.shape, property->name)) select_own(draft, *property);
  }
}

}  // namespace callisto::query
