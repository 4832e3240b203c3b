-- A webhook without an owner belongs to whoever changes it; only hand-over gives it to somebody else.
local function take(webhook, _, session)
  if webhook.Owner == nil then webhook.Owner = session.user_id end
end

return hooks {
  before_create = take,
  before_update = take,
}
