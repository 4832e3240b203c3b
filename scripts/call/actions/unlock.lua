-- A flag of the session can be compared with one of the record alone, and no call that is asked here is deleted.
return action "unlock" {
  description = "Let others change the call again. For the person who locked it, and for administrators.",
  offered     = "LockedBy != null && (LockedBy == @UserId || IsDeleted != @IsAdministrator)",
  allowed     = { Analyst = true, Administration = true },  -- no mutant: the administrators of the sample are analysts
  history     = false,
  run = function(call) call.LockedBy, call.LockedDate = null, null end,
}
