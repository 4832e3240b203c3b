-- Whose turn it is: a task waits for its predecessor and sets its successors going. Approvals do the same; a rejected one
-- (state 6) sets nothing going.
local is_done = { [3] = true, [4] = true, [5] = true }

local function check_predecessor(task)
  local earlier, steps = task.Predecessor, 0
  while earlier do
    steps = steps + 1
    if earlier == task.Ref or steps > 100 then reject "Predecessor: a task cannot wait for itself." end
    local other = desk.find("task", earlier)
    earlier = other and other.Predecessor
  end
end

local function settle_first_state(task)
  local predecessor = task.Predecessor and desk.find("task", task.Predecessor)
  if not predecessor or is_done[predecessor.State] then task.State = 1 end
end

local function note_dates(task, before)
  if task.State == before.State then return end
  if task.State == 1 and before.State ~= 2 then task.ActivatedDate, task.ClosedDate = datetime.now(), null end
  if task.State >= 3 then task.ClosedDate = datetime.now() end
end

local function activate_successors(task)
  for _, successor in ipairs(desk.search("task", { Predecessor = task.Ref, State = 0 })) do successor:act "activate" end
end

return hooks {
  before_create = function(task, before)
    if task.Predecessor then check_predecessor(task) end
    settle_first_state(task)
    note_dates(task, before)
  end,

  before_update = function(task, before)
    if task.Predecessor ~= before.Predecessor then check_predecessor(task) end
    note_dates(task, before)
  end,

  after_update = function(task, before)
    if is_done[task.State] and not is_done[before.State] then activate_successors(task) end
  end,

  after_delete = activate_successors,

  history = function(task, before, action, input, session)
    task:raise "ActionAddedtoHistory"
    return {
      Action = action.name, ActionTitle = action.title, Description = input.Description, Analyst = session.user_id,
      Date = datetime.now(), FromState = before.State, ToState = task.State,
    }
  end,
}
