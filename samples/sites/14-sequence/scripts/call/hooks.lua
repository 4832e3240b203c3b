return hooks {
  before_create = function(call)
    local name = "call-" .. datetime.in_zone(datetime.now(), "Europe/Vienna").year
    local sequence = desk.first("sequence", "Name == ?", name) or desk.create("sequence", { Name = name, Last = 0 })
    sequence.Last = sequence.Last + 1
    call.YearNumber = sequence.Last
  end,
}
