-- What handing a request in, and ending it, brings with it.
local function is_handed_in(request, before)
  return before.State == 0 and (request.State == 1 or request.State == 2)
end

local function take_from_template(request, before)
  local template = is_handed_in(request, before) and request.Template and desk.find("request-template", request.Template)
  if not template then return end
  if template.NeedsAuthorization then request.State = 1 end
  request.Service = request.Service or template.Service
  request.Group = request.Group or template.Group
end

local function note_close(request, before)
  if request.State == before.State then return end
  if request.State >= 4 then request.ClosedDate = datetime.now() end
  if before.State >= 4 then request.ClosedDate, request.ImplementationState = null, null end
end

-- In their order, each waiting for the one before.
local function make_tasks(request, before)
  if not is_handed_in(request, before) or not request.Template then return end
  local steps = desk.search("request-template-task", { Template = request.Template })
  table.sort(steps, function(a, b) return a.Order < b.Order end)
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
  local tasks = desk.search("task", { Request = request.Ref, State = { 0, 1, 2 } })
  for i = #tasks, 1, -1 do
    if tasks[i].State == 2 then tasks[i]:act "resume" end
    tasks[i]:act("skip", { Description = "The request was cancelled." })
  end
end

local function before_change(request, before)
  take_from_template(request, before)
  note_close(request, before)
end

local function after_change(request, before)
  make_tasks(request, before)
  skip_open_tasks(request, before)
end

return hooks {
  before_create = before_change,
  before_update = before_change,
  after_create  = after_change,
  after_update  = after_change,

  history = function(request, before, action, input, session)
    request:raise "ActionAddedtoHistory"
    return {
      Action = action.name, ActionTitle = action.title, Description = input.Description, Analyst = session.user_id,
      Date = datetime.now(), FromState = before.State, ToState = request.State,
    }
  end,
}
