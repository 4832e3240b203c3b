return entity "group" {
  description   = "A team of analysts that calls, requests and tasks are forwarded to.",
  status        = "GA",
  summary       = { "Ref", "Name", "Email" },
  sub_resources = { list "member" { entity = "group-member", link = "Group" } },
  properties    = {
    text "Name" { length = 80, required = true, indexed = true, description = "What people call it." },
    text "Description" { length = 255, description = "What it looks after." },
    text "Email" { length = 255, description = "The mailbox that all of its members read." },
    text "ExternalId" { length = 255, indexed = true, display = "External id",
      description = "What the system that provisions the group calls it." },
    lookup "Manager" { entity = "person", description = "Who answers for it." },
  },
}
