-- One from further ahead was taken by a clock that went wrong, and holds nothing.
return condition "IsLockedByOther" {
  description = "Somebody else took the lock within the last 15 minutes.",
  filter      = "LockedBy != null && LockedBy != @UserId && LockedDate > @NowOffset(0,0,-15)"
             .. " && LockedDate < @NowOffset(0,0,15)",
}
