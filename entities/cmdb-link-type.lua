return entity "cmdb-link-type" {
  display     = "CMDB link type",
  description = "The kinds of links between assets.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name", "Category" },
  properties  = {
    text "Name" { length = 80, required = true,
      description = "Read from the parent to the child: 'runs on', 'depends on'." },
    text "InverseName" { length = 80, description = "Read from the child to the parent: 'hosts', 'is needed by'." },
    text "Category" { length = 40, description = "Physical, Logical or Organisational." },
  },
}
