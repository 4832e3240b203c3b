return add_to "read" { allowed = { Analyst = "@IsForMyGroups || Group == null || Analyst == @UserId" } }
