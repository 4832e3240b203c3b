-- Runs behind the product's, which go on.
local services = { { "toner", "Printing" }, { "printer", "Printing" }, { "mail", "E-mail" } }

return hooks {
  before_create = function(call)
    local said = text.fold(call.ShortDescription or "")
    for _, each in ipairs(services) do
      local service = not call.Service and said:find(text.fold(each[1]), 1, true) and desk.first("service", "Name == ?", each[2])
      if service then call.Service = service.Ref end
    end
  end,
}
