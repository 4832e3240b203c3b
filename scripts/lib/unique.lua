return library "unique" {
  -- For before_create and before_update: refuses the record where another one of its entity has the same values.
  check = function(record, entity, values, message)
    for _, other in ipairs(desk.search(entity, values)) do
      if other ~= record then reject(message) end
    end
  end,
}
