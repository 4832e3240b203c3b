return entity "request-template" {
  description   = "A recurring kind of request with the tasks that belong to it.",
  status        = "GA",
  writers       = "Administration",
  summary       = { "Ref", "Name", "NeedsAuthorization" },
  sub_resources = { list "task" { entity = "request-template-task", link = "Template" } },
  properties    = {
    text "Name" { length = 120, required = true, description = "What people choose from the list." },
    text "Description" { length = 4000, description = "When to use it." },
    boolean "NeedsAuthorization" { default = false,
      description = "Its requests wait for an authorization before their tasks begin." },
    lookup "Service" { entity = "service", description = "The service of its requests." },
    lookup "Group" { entity = "group", display_types = { "Select" },
      description = "The group that sees its requests through." },
    boolean "IsActive" { default = true, display = "Active", description = "Offered for new requests." },
  },
}
