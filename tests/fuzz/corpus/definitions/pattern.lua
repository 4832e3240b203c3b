local s = ("x"):rep(99) return s:gsub("(.-)(.-)%1", "%2")
