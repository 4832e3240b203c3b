return action "delete" {
  title       = "Delete",
  description = "Take the person away; old records keep the name.",
  allowed     = { Administration = true },
  offered     = "Ref != @UserId",
  raises      = "Deleted",
}
