return {
  -- Whether what has this status is out of use.
  is_retired = function(key)
    local status = key and desk.find("asset-status", key)
    return status ~= nil and status.IsRetired
  end,
}
