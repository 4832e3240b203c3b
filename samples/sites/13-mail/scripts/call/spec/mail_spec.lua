describe("a mail to the user", function()
  it("stands in the history, and is told to whoever sends it", function(desk)
    local call = desk:call { State = 1 }
    call:act("write-mail", { Description = "Please call back." })
    expect(call):raised "MailWanted"
    expect(call:history()[1].Description):contains "Please call back."
  end)
end)
