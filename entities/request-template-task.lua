return entity "request-template-task" {
  description = "One task of a request template; requests get theirs in Order, each waiting for the one before.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Template", "Order", "Title", "Group" },
  properties  = {
    lookup "Template" { entity = "request-template", required = true,
      description = "The template that it belongs to." },
    integer "Order" { required = true, description = "1 for the first task." },
    text "Title" { length = 255, required = true, description = "What is to be done, in one line." },
    text "Description" { length = 4000, description = "How to do it." },
    lookup "Group" { entity = "group", display_types = { "Select" }, description = "The group that does it." },
    boolean "IsApproval" { default = false, description = "It becomes an approval instead of a task." },
  },
}
