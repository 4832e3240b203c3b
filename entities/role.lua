return entity "role" {
  description   = "What the people who have this role may do, and in which partitions.",
  status        = "GA",
  right         = "Administration",
  summary       = { "Ref", "Name", "Rights", "AllPartitions" },
  sub_resources = {
    list "access" { entity = "role-partition", link = "Role" },
    list "member" { entity = "person-role", link = "Role" },
  },
  properties    = {
    text "Name" { length = 80, required = true, indexed = true, description = "What people call it." },
    text "Rights" { length = 4000,
      description = "Parted by blanks: Administration, Integration, or entity:work such as call:Update, *:Read." },
    boolean "AllPartitions" { default = false, description = "It opens every partition, also those made later." },
  },
}
