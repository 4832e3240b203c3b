-- What handing a request in, and ending it, brings with it.
local function has_tasks(request) return desk.count("task", "Request == ?", request) > 0 end

-- For the first time: of records without a SubmittedDate, those that were cancelled tell by their tasks.
local function is_handed_in(request, before)
  if before.SubmittedDate or request.State ~= 1 and request.State ~= 2 then return false end
  return before.State == 0 or before.State == 5 and not has_tasks(request)
end

local function take_from_template(request, template)
  request.SubmittedDate = datetime.now()
  if not template then return end
  request.Service = request.Service or template.Service
  request.Group = request.Group or template.Group
end

-- Whichever action leads to Open, what needs an authorization waits for it. Where a request is open, suspended or
-- closed, it was open before.
local function hold_for_authorization(request, before, template)
  local is_opened = request.State == 2 and (before.State < 2 or before.State == 5)
  local is_left = before.State == 1 and request.State ~= 1
  if is_left or is_opened and template and template.NeedsAuthorization then request.NeedsAuthorization = true end
  if is_opened and request.NeedsAuthorization and not request.AuthorizedDate then request.State = 1 end
end

local function check_template(request, before)
  if request.Template == before.Template or before.State == 0 and not before.SubmittedDate then return end
  reject "Template: it is fixed once the request is handed in."
end

local function note_close(request, before)
  if request.State == before.State then return end
  if request.State >= 4 then request.ClosedDate = datetime.now() end
  if before.State >= 4 then request.ClosedDate, request.ImplementationState = null, null end
end

-- In their order, each waiting for the one before.
local function make_tasks(request)
  if not request.Template then return end
  local steps = desk.search("request-template-task", "Template == ?", request.Template, { orderby = "Order" })
  local previous
  for _, step in ipairs(steps) do
    previous = desk.create(step.IsApproval and "approval" or "task", {
      Title = step.Title, Description = step.Description, Group = step.Group, Request = request.Ref,
      Predecessor = previous, Partition = request.Partition,
    }).Ref
  end
end

-- The last first: skipping a task would set the next one going.
local function skip_open_tasks(request, before)
  if request.State ~= 5 or before.State == 5 then return end
  local open = desk.search("task", "Request == ? && State in (0, 1, 2)", request, { orderby = "Ref desc" })
  for _, task in ipairs(open) do
    if task.State == 2 then task:act "resume" end
    task:act("skip", { Description = "The request was cancelled." })
  end
end

local function before_change(request, before)
  local template = request.Template and desk.find("request-template", request.Template)
  if is_handed_in(request, before) then take_from_template(request, template) end
  hold_for_authorization(request, before, template)
  note_close(request, before)
end

local function after_change(request, before)
  if request.SubmittedDate and not before.SubmittedDate then make_tasks(request) end
  skip_open_tasks(request, before)
end

return hooks {
  before_create = before_change,
  after_create  = after_change,
  after_update  = after_change,

  before_update = function(request, before)
    check_template(request, before)
    before_change(request, before)
  end,

  history = function(request, before, action, input, session)
    request:raise "ActionAddedtoHistory"
    return {
      Action = action.name, ActionTitle = action.title, Description = input.Description, Analyst = session.user_id,
      Date = datetime.now(), FromState = before.State, ToState = request.State,
    }
  end,
}
