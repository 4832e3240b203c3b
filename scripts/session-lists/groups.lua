-- The groups of the person who asks, as session.groups.
return session_list "groups" { entity = "group-member", where = "Person == @UserId", select = "Group" }
