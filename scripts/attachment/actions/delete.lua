-- Files are changed below their record alone. Analysts may who may change that; users their own, while it is open.
return action "delete" {
  title     = "File deleted",
  supported = false,
  allowed   = { Analyst = true, User = "UploadedBy == @UserId" },
  raises    = "AttachmentDeleted",
}
