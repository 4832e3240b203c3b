return calendar "athens" {
  description = "The laboratories in Athens.",
  zone     = "Europe/Athens",
  hours    = { mon = "09:00-17:00", tue = "09:00-17:00", wed = "09:00-17:00", thu = "09:00-17:00", fri = "09:00-17:00" },
  holidays = { "01-01", "01-06", "03-25", "05-01", "08-15", "10-28", "12-25", "12-26" },
}
