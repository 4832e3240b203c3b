return action "read" {
  description = "Published articles are for everybody, the others for those who work on them.",
  allowed     = { Analyst = true, User = "State == 2", Anonymous = "State == 2" },
}
