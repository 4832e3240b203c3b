-- Whose turn it is: a task waits for its predecessor and sets its successors going. An approval does so when its answer
-- is yes (state 5): one that is rejected, skipped or taken away sets nothing going, however many skipped tasks stand
-- between.
local function is_done(task)
  if task.RecordType == "approval" then return task.State == 5 end
  return task.State == 3 or task.State == 4
end

-- What was skipped stands for what it waited for, as far as that is an approval.
local function waits_for_approval(task)
  local earlier = task.Predecessor and desk.find("task", task.Predecessor)
  for _ = 1, 100 do
    if not earlier or earlier.State == 1 or earlier.State == 2 or earlier.State == 3 then
      return earlier ~= nil and earlier.RecordType == "approval"
    end
    if earlier.RecordType == "approval" then return earlier.State ~= 5 end
    earlier = earlier.Predecessor and desk.find("task", earlier.Predecessor)
  end
  return true
end

local function check_predecessor(task)
  local earlier, steps = task.Predecessor, 0
  while earlier do
    steps = steps + 1
    if earlier == task.Ref or steps > 100 then  -- no mutant: a circle that is walked a hundred times ends alike
      reject "Predecessor: a task cannot wait for itself."
    end
    local other = desk.find("task", earlier)
    earlier = other and other.Predecessor
  end
end

local function settle_first_state(task)
  local predecessor = task.Predecessor and desk.find("task", task.Predecessor)
  if not predecessor or is_done(predecessor) and not waits_for_approval(task) then task.State = 1 end
end

local function note_dates(task, before)
  if task.State == before.State then return end
  if task.State == 1 and before.State ~= 2 then task.ActivatedDate, task.ClosedDate = datetime.now(), null end
  if task.State >= 3 then task.ClosedDate = datetime.now() end
end

-- Those behind a task that was skipped are in its place.
local function activate_successors(task)
  for _, successor in ipairs(desk.search("task", { Predecessor = task.Ref, State = { 0, 4 } })) do
    if successor.State == 4 then activate_successors(successor)
    elseif not waits_for_approval(successor) then successor:act "activate" end
  end
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
    if is_done(task) and task.State ~= before.State then activate_successors(task) end
  end,

  -- The chain closes up. What waits for an approval keeps it: that is not deleted.
  before_delete = function(task)
    if task.RecordType == "approval" then return end
    for _, successor in ipairs(desk.search("task", { Predecessor = task.Ref })) do
      successor.Predecessor = task.Predecessor or null
      local earlier = task.Predecessor and desk.find("task", task.Predecessor)
      if successor.State == 0 and (not earlier or is_done(earlier)) and not waits_for_approval(successor) then
        successor:act "activate"
      end
    end
  end,

  history = function(task, before, action, input, session)
    task:raise "ActionAddedtoHistory"
    return {
      Action = action.name, ActionTitle = action.title, Description = input.Description, Analyst = session.user_id,
      Date = datetime.now(), FromState = before.State, ToState = task.State,
    }
  end,
}
