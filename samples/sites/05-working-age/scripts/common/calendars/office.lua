return calendar "office" {
  zone     = "Europe/Vienna",
  hours    = { mon = "09:00-17:00", tue = "09:00-17:00", wed = "09:00-17:00", thu = "09:00-17:00", fri = "09:00-15:00" },
  holidays = { "12-25", "12-26", "01-01" },
}
