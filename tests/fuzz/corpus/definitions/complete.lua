return entity "sample" {
  description = "Everything once.", status = "Beta", top_level = true, summary = { "Ref", "Title" },
  query_aliases = { Number = "Ref" },
  sub_resources = { list "part" { entity = "sample", link = "Parent" } },
  properties = {
    key "Ref", text "Title" { length = 80, default = "x" }, lookup "Parent" { entity = "sample" },
    integer "ParentId" { mirror = "Parent" }, decimal "Price" { scale = 3, default = 1.5 },
    boolean "Lent" { stored = { "Y", "N" } }, datetime "Bought" { default = "2026-01-01T00:00:00Z" },
  },
}
