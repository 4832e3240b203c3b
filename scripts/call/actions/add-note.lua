return action "add-note" {
  description = "Write something down without changing the call.",
  from        = { "Open*", "Closed*" },
  offered     = "!@IsLockedByOther",
  allowed     = { Analyst = true, User = "User == @UserId" },
  raises      = "NoteAdded",
  mandatory   = { richtext "Description" { description = "The note." } },
  optional    = { boolean "IsPublic" { default = true, description = "False: analysts alone read it." } },
}
