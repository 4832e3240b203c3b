-- Files are changed below their record alone.
return action "update" { supported = false, raises = "AttachmentUpdated" }
