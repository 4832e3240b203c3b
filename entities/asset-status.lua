return entity "asset-status" {
  description = "Where an asset is in its life, from ordered to retired.",
  status      = "GA",
  writers     = "Administration",
  summary     = { "Ref", "Name" },
  properties  = {
    text "Name" { length = 40, required = true, indexed = true, description = "What people call it." },
    boolean "IsRetired" { default = false, description = "Assets with it are out of use." },
  },
}
