local t = {} t.t = t return entity "sample" { properties = t, summary = t }
