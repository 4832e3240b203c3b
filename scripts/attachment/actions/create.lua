-- Files are changed below their record alone.
return action "create" { supported = false, raises = "AttachmentUploaded" }
