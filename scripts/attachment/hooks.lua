-- Kinds of records that count their files.
local counting = { call = true, incident = true, problem = true, ["service-request"] = true }

local function count(file, step)
  local record = counting[file.EntityType] and desk.find(file.EntityType, file.EntityRef)
  if record then record.AttachmentCount = (record.AttachmentCount or 0) + step end
end

return hooks {
  before_create = function(file, _, session) file.UploadedBy = session.user_id end,
  after_create  = function(file) count(file, 1) end,
  after_delete  = function(file) count(file, -1) end,
  after_restore = function(file) count(file, 1) end,
}
