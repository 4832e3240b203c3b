return action "add-note" {
  description = "Write something down without changing the request.",
  from        = "Open*",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "NoteAdded",
  mandatory   = { richtext "Description" { description = "The note." } },
}
