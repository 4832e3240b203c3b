local states = { [0] = "Draft", "PendingReview", "Published", "Retired" }

local actions = {
  { "submit",  from = { 0 }, to = 1, "Submitted" },
  { "publish", from = { 0, 1 }, to = 2, "Published" },
  { "retire",  from = { 2 }, to = 3, "Retired" },
  { "restore", from = { 3 }, to = 0, "Restored" },
}

for _, action in ipairs(actions) do
  describe(action[1] .. " of an article", function()
    for state = 0, 3 do
      if lists.contains(action.from, state) then
        it("is offered in state " .. states[state], function(desk)
          local article = desk:knowledge { State = state, Title = "Paper jams" }
          expect(article):offers(action[1])
          article:act(action[1])
          expect(article.State):equals(action.to)
          expect(article):raised(action[2])
        end)
      else
        it("is refused in state " .. states[state], function(desk)
          expect(desk:knowledge { State = state, Title = "Paper jams" }):refuses(action[1], "NotAllowed")
        end)
      end
    end
  end)
end

describe("an article", function()
  it("begins as a draft of its author, with a title", function(desk)
    expect(desk:create("knowledge", { Title = "Paper jams" })):has { State = 0, Author = desk.me, Moderated = false }
    expect(desk):refuses("create", "knowledge", { Abstract = "Open the tray." }, "Title")
  end)

  for state = 0, 3 do
    local shown = state == 2
    it("is " .. (shown and "" or "not ") .. "for users in state " .. states[state], function(desk)
      local article = desk:knowledge { State = state, Title = "Paper jams" }
      expect(desk:as("user"):find("knowledge", article.Ref) ~= nil):equals(shown)
      expect(desk:anonymous():find("knowledge", article.Ref) ~= nil):equals(shown)
      expect(desk:find("knowledge", article.Ref)):equals(article)
    end)
  end

  it("is moderated once", function(desk)
    local article = desk:knowledge { State = 1, Title = "Paper jams", Moderated = false }
    article:moderate()
    expect(article.Moderated):is_true()
    expect(article):withholds "moderate"
  end)

  it("is not for users to write", function(desk)
    expect(desk:as "user"):refuses("create", "knowledge", { Title = "Paper jams" }, 403)
    expect(desk:knowledge { State = 2, Title = "Paper jams" }:as "user"):refuses("update", { Title = "x" }, 403)
  end)

  it("stays stored when it is deleted", function(desk)
    local article = desk:knowledge { State = 0, Title = "Paper jams" }
    article:delete()
    expect(desk:find("knowledge", article.Ref)):is_nil()
    expect(#desk:search("knowledge", "@IsDeleted && Ref == " .. article.Ref)):equals(1)
  end)
end)

describe("creating and moderating an article", function()
  it("raises its event", function(desk)
    local article = desk:create("knowledge", { Title = "Toner" })
    article:moderate()
    expect(article):raised("Created", "Moderated")
  end)
end)
