return func "Guid" {
  description = "A GUID from text, with or without braces and in any case, to compare with Id.",
  returns     = "Text",
  parameters  = { text "value" },
  constant    = true,
  value = function(value)
    return guid.parse(value) or reject("a GUID is expected here, such as 6f9619ff-8b86-4d11-b42d-00c04fc964ff")
  end,
}
