return condition "MyTeamsOverdue" { filter = "@IsOpen && @IsForMyGroups && DueDate < @Now" }
