return add_to "call" {
  fields = {
    field "ClockStoppedDate" { read = { Analyst = true } },
    field "Priority" { write = { Analyst = true } },
  },
}
