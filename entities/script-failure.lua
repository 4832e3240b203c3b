return entity "script-failure" {
  description = "A script that failed: the newest thousand. Reference is what the answer of that request told its client.",
  status      = "GA",
  right       = "Administration",
  deletable   = false,
  summary     = { "Ref", "Reference", "Date", "Entity", "Action", "Person", "File", "Line", "Message" },
  properties  = {
    text "Reference" { length = 20, readonly = true, indexed = true, description = "As the answer told it." },
    datetime "Date" { readonly = true, description = "When it failed." },
    text "Entity" { length = 100, readonly = true, description = "Of the record at hand; empty for an augmenter." },
    text "Action" { length = 100, readonly = true, description = "The action, the hook or, with @, the augmenter." },
    lookup "Person" { entity = "person", readonly = true, description = "Who asked; empty where nobody signed in." },
    text "File" { length = 400, readonly = true, description = "The script." },
    integer "Line" { readonly = true, description = "Of that file; empty where it is not known." },
    text "Message" { length = 2000, readonly = true, description = "What went wrong." },
    text "Traceback" { length = 8000, readonly = true, no_search = true, description = "Which calls led there." },
  },
}
