-- What is deleted is gone for all but administrators, who can bring it back: bytes too, by whatever way they are asked for.
return action "read" {
  description = "Whoever sees the record sees its files; deleted ones are for administrators.",
  allowed     = { Analyst = "!IsDeleted", User = "!IsDeleted", Anonymous = "!IsDeleted", Administration = "IsDeleted" },
}
