-- Settings of a desk. Copy this file to callisto.lua in the folder where callisto is started, or name it with --settings.
-- Every setting stands here with its default, commented out. CALLISTO_LOG_LEVEL=debug in the environment overrides
-- ["log.level"], and --set log.level=debug overrides both.
return {
  -- listen = "127.0.0.1:8080",                 -- address and port; port 0 picks a free one
  -- data = "callisto-data",                    -- folder of the database and of the server's process id
  -- database = "sqlite:callisto-data/desk.db",

  -- entities = { "entities" },                 -- folders of entity files; a file in a later one replaces its namesake
  -- scripts = { "scripts" },
  -- ["scripts.time_ms"] = 50,                  -- longest run of one script call
  -- ["scripts.memory_mib"] = 32,               -- memory of one script state

  -- base_url = "",                             -- https://desk.example.com behind a proxy; else as each request says
  -- ["api.root"] = "/service.api/api",         -- url prefix of the API
  -- ["api.versions"] = { "v1", "v1.0" },       -- understood in urls; the first is written in links
  -- ["oauth.root"] = "/service.web/oauth",     -- url prefix of signing in
  -- ["oauth.access_seconds"] = 600,            -- lifetime of an access token
  -- ["oauth.refresh_seconds"] = 86400,         -- lifetime of a refresh token
  -- ["oauth.code_seconds"] = 60,               -- lifetime of an authorization code
  -- ["oauth.attempts_per_minute"] = 60,        -- password attempts of one address
  -- licences = 0,                              -- sessions that may live at once; 0 is unlimited

  -- ["log.level"] = "info",                    -- debug, info, warning, error or off
  -- ["log.format"] = "text",                   -- or "json"
}
