return library "lists" {
  contains = function(values, value)
    for _, each in ipairs(values) do
      if each == value then return true end
    end
    return false
  end,
}
