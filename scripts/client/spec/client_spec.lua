describe("a client", function()
  local function with(uris) return { ClientId = "app", Name = "App", Grants = "authorization_code", RedirectUris = uris } end

  it("is answered where a browser can be sent", function(desk)
    local uris = "https://app.example/back http://127.0.0.1:8400/cb com.example.app:/back https://[::1]/?next=@me"
    expect(desk:as("admin"):create("client", with(uris)).RedirectUris):equals(uris)
  end)

  it("is not answered where a browser would run something, or at no place at all", function(desk)
    for _, uri in ipairs { "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "/back", "https:", "https://",
                           "https://:443/", "https://me@app.example/", "https://app.example/#x", "https://app.example\\x" } do
      expect(desk:as("admin")):refuses("create", "client", with(uri), "RedirectUris")
    end
  end)

  it("has grants that there are", function(desk)
    local client = with "https://app.example/back"
    client.Grants = "authorization_code magic"
    expect(desk:as("admin")):refuses("create", "client", client, "Grants: magic is none of")
  end)
end)

describe("the secret of a client", function()
  it("is set by an action that raises its event", function(desk)
    local client = desk:as("admin"):create("client", { ClientId = "app", Name = "App", Grants = "client_credentials" })
    expect(client):refuses("set-secret", {}, "Secret")
    client:act("set-secret", { Secret = "correct horse" })
    expect(client):has { HasSecret = true }
    expect(client):raised "SecretChanged"
  end)
end)
