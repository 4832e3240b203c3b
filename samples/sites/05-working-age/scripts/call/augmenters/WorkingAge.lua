return extension "WorkingAge" {
  description = "Hours of work since the call came in.",
  returns     = "Double",
  needs       = { "LoggedDate" },
  value = function(call)
    return call.LoggedDate and datetime.working_between(call.LoggedDate, datetime.now(), "office")
  end,
}
