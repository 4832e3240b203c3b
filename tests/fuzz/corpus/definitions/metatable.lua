return entity "sample" { properties = setmetatable({}, { __index = function() error({}) end }) }
