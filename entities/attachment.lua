return entity "attachment" {
  description = "A file that hangs on a record.",
  status      = "GA",
  summary     = { "Ref", "Name", "FileSize", "ContentType", "CreatedDate" },
  properties  = {
    text "Name" { length = 255, required = true, description = "File name." },
    integer "FileSize" { readonly = true, description = "Its size in bytes." },
    text "ContentType" { length = 127, description = "Its media type, such as image/png." },
    binary "BinaryData" {
      description = "The file's bytes, base64 in JSON; given only when selected." },
    text "Description" { length = 255, description = "What it shows." },
    lookup "UploadedBy" { entity = "person", readonly = true, description = "Who put it there." },
    text "EntityType" { length = 40, readonly = true,
      description = "The kind of record that the file belongs to, such as incident." },
    integer "EntityRef" { readonly = true, indexed = true, description = "The Ref of the record that it hangs on." },
  },
  indexes = { index { "UpdatedDate" } },
}
