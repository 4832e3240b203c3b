return entity "cmdb-link" {
  display     = "CMDB link",
  description = "That two assets hang together, and which way a failure travels.",
  core_type   = "CMDBLink",
  status      = "GA",
  summary     = { "Ref", "Type", "Parent", "Child", "Weight" },
  properties  = {
    lookup "Type" { entity = "cmdb-link-type", required = true, display_types = { "Select" },
      description = "How they hang together." },
    lookup "Parent" { entity = "asset", required = true, description = "The asset that the link starts from." },
    lookup "Child" { entity = "asset", required = true, description = "The asset that it leads to." },
    text "Category" { length = 40, readonly = true, description = "The category of its type." },
    text "ImpactDirection" { length = 20, default = "ChildToParent",
      description = "Which way a failure travels: ChildToParent, ParentToChild, Both or None." },
    integer "Weight" { default = 100, description = "How much of a failure travels along, 0 to 100 per cent." },
    text "Description" { length = 255, description = "What else there is to know." },
  },
}
