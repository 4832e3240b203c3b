return condition "IsDeleted" {
  description = "Deleted records; !@IsDeleted the others. Naming it lets a search see deleted records at all.",
  filter      = "IsDeleted",
}
