-- Files are changed below their record alone.
return action "delete" { supported = false, raises = "AttachmentDeleted" }
