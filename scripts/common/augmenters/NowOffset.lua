return func "NowOffset" {
  description = "The present moment moved by days, hours and minutes; negative numbers go into the past.",
  returns     = "DateTime",
  parameters  = { integer "days", integer "hours", integer "minutes" },
  value = function(days, hours, minutes)
    return datetime.add(datetime.now(), days, hours, minutes) or reject("this leaves the years 1 to 9999")
  end,
}
