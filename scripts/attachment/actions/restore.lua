-- Files are deleted below their record alone, and come back by themselves.
return action "restore" {
  description = "Brings a deleted file back to its record.",
  deleted     = true,
  allowed     = { Administration = true },  -- no mutant: others do not see what is deleted
  raises      = "AttachmentUploaded",
}
