return action "approve" {
  description = "It may be done.", from = "Awaiting approval", moves_to = "Open", raises = "Approved",
  allowed = { Analyst = "Analyst != @UserId" },
}
