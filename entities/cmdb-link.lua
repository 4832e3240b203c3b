return entity "cmdb-link" {
  display     = "CMDB link",
  description = "A link between two assets, and which way a failure travels along it.",
  core_type   = "CMDBLink",
  status      = "GA",
  summary     = { "Ref", "Type", "Parent", "Child", "Weight" },
  properties  = {
    lookup "Type" { entity = "cmdb-link-type", required = true, display_types = { "Select" },
      description = "The kind of the link." },
    lookup "Parent" { entity = "asset", required = true, description = "The asset that the link starts from." },
    lookup "Child" { entity = "asset", required = true, description = "The asset that it leads to." },
    text "Category" { length = 40, readonly = true, description = "The category of its type." },
    text "ImpactDirection" { length = 20, default = "ChildToParent",
      description = "The direction in which a failure travels: ChildToParent, ParentToChild, Both or None." },
    integer "Weight" { default = 100, description = "How much of a failure travels along the link, 0 to 100 per cent." },
    text "Description" { length = 255, description = "What else there is to know." },
  },
}
