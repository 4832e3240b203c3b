return action "delete" {
  title       = "Delete",
  description = "Delete a person whom no record refers to. Deactivate everybody else instead.",
  allowed     = { Administration = true },
  offered     = "Ref != @UserId",
  raises      = "Deleted",
}
