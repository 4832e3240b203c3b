return calendar "vienna" {
  description = "The desk in Vienna.",
  zone     = "Europe/Vienna",
  hours    = { mon = "08:00-17:00", tue = "08:00-17:00", wed = "08:00-17:00", thu = "08:00-17:00", fri = "08:00-15:00" },
  holidays = { "01-01", "01-06", "05-01", "08-15", "10-26", "11-01", "12-08", "12-25", "12-26" },
}
