-- Files of a call. "aGVsbG8=" is "hello" in base64.
local function upload(desk, call, name)
  return desk:post("call/" .. call.Ref .. "/attachment", { Name = name or "a.txt", BinaryData = "aGVsbG8=" })
end

local function url_of(call, file) return "call/" .. call.Ref .. "/attachment/" .. file.body.Ref end

-- Of the user `user`, with a file of theirs and one of the analyst.
local function with_files(desk)
  local call = desk:call { State = 1, User = desk:as("user").me }
  local own, other = upload(desk:as "user", call, "own.txt"), upload(desk, call, "other.txt")
  return call, own, other
end

describe("a file that is uploaded", function()
  it("is counted, belongs to who brought it, and is told of", function(desk)
    local call = desk:call { State = 1 }
    local file = upload(desk, call)
    expect(file):has { status = 200 }
    expect(desk:get(url_of(call, file)).body.UploadedBy):equals(desk.me.Ref)
    upload(desk, call, "b.txt")
    expect(call):has { AttachmentCount = 2 }
    expect(desk):raised "AttachmentUploaded"
  end)

  it("is counted by each kind of call", function(desk)
    for _, kind in ipairs { "incident", "problem", "service-request" } do
      local made = desk:create(kind, { ShortDescription = "Printer" })
      upload(desk, made)
      expect(made):has { AttachmentCount = 1 }
    end
  end)

  it("hangs on records that count none as well", function(desk)
    local request = desk:create("request", { Title = "A chair" })
    local file = desk:post("request/" .. request.Ref .. "/attachment", { Name = "a.txt", BinaryData = "aGVsbG8=" })
    expect(file):has { status = 200 }
  end)

  it("is made, changed and deleted below its record alone", function(desk)
    local call = desk:call { State = 1 }
    local file = upload(desk, call)
    expect(desk:post("attachment", { Name = "a.txt", BinaryData = "aGVsbG8=" })):has { status = 405 }
    expect(desk:put("attachment/" .. file.body.Ref, { Name = "b.txt" })):has { status = 405 }
    expect(desk:delete("attachment/" .. file.body.Ref)):has { status = 405 }
  end)
end)

describe("a file that is changed", function()
  it("is told of", function(desk)
    local call = desk:call { State = 1 }
    local file = upload(desk, call)
    expect(desk:put(url_of(call, file), { Name = "b.txt" })):has { status = 200 }
    expect(desk):raised "AttachmentUpdated"
  end)

  it("is the user's own", function(desk)
    local call, own, other = with_files(desk)
    expect(desk:as("user"):put(url_of(call, own), { Name = "b.txt" })):has { status = 200 }
    expect(desk:as("user"):put(url_of(call, other), { Name = "b.txt" })):has { status = 403 }
    expect(desk:put(url_of(call, own), { Name = "c.txt" })):has { status = 200 }
  end)
end)

describe("a file that is deleted", function()
  it("is counted no more, and is told of", function(desk)
    local call = desk:call { State = 1 }
    local file = upload(desk, call)
    expect(desk:delete(url_of(call, file)).status < 300):is_true()
    expect(call):has { AttachmentCount = 0 }
    expect(desk):raised "AttachmentDeleted"
  end)

  it("is the user's own", function(desk)
    local call, own, other = with_files(desk)
    expect(desk:as("user"):delete(url_of(call, other))):has { status = 403 }
    expect(desk:as("user"):delete(url_of(call, own)).status < 300):is_true()
  end)

  it("is there for administrators alone", function(desk)
    local call = desk:call { State = 1, User = desk:as("user").me }
    local file = upload(desk:as "user", call)
    local seen = "Ref == " .. file.body.Ref
    expect(desk:as("user").count("attachment", seen)):equals(1)
    expect(desk:as("admin").count("attachment", seen)):equals(1)
    desk:delete(url_of(call, file))
    expect(desk.count("attachment", seen)):equals(0)
    expect(desk:as("user").count("attachment", seen)):equals(0)
    expect(desk:as("admin").count("attachment", seen .. " && @IsDeleted")):equals(1)
    expect(desk.count("attachment", seen .. " && @IsDeleted")):equals(0)
  end)

  it("is gone for those who read an article without a session, too", function(desk)
    local article = desk:knowledge { State = 2 }
    local file = desk:post("knowledge/" .. article.Ref .. "/attachment", { Name = "a.txt", BinaryData = "aGVsbG8=" })
    local url = "knowledge/" .. article.Ref .. "/attachment/" .. file.body.Ref
    expect(desk:anonymous():get(url)):has { status = 200 }
    desk:delete(url)
    expect(desk:anonymous():get(url)):has { status = 404 }
  end)

  it("comes back by an administrator, is counted again and told of", function(desk)
    local call = desk:call { State = 1 }
    local file = upload(desk, call)
    desk:delete(url_of(call, file))
    expect(desk:put("attachment/" .. file.body.Ref .. "/restore", {}).status >= 400):is_true()
    local before = #desk:events()
    expect(desk:as("admin"):put("attachment/" .. file.body.Ref .. "/restore", {})):has { status = 200 }
    expect(call):has { AttachmentCount = 1 }
    expect(#desk:events()):equals(before + 1)
  end)
end)
