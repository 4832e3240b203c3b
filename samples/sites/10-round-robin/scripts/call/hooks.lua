return hooks {
  before_update = function(call, before)
    if not call.Group or call.Group == before.Group or call.Analyst then return end
    local next = desk.first("group-member", "Group == ?", call.Group, { orderby = "LastGiven, Ref" })
    if next then call.Analyst, next.LastGiven = next.Person, datetime.now() end
  end,
}
