-- A webhook without an owner belongs to whoever changes it; only hand-over gives it to somebody else.
local function take(webhook, _, session)
  if webhook.Owner == nil then webhook.Owner = session.user_id end
end

return hooks {
  before_create = function(webhook, input, session)
    take(webhook, input, session)
    if webhook.Secret == nil then webhook:make_secret "Secret" end
  end,
  before_update = take,
}
