return entity "job" {
  description = "A call that comes again and again.",
  properties = {
    text "Title" { length = 80, required = true },
    datetime "Next" { required = true },
    integer "Days" { default = 7, description = "From one to the next." },
  },
}
