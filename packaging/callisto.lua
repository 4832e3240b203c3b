-- Settings of this server; /usr/share/callisto/samples/callisto.lua has all of them. `callisto settings` shows what counts.
-- Secrets may stand in files of their own: CALLISTO_OIDC_CLIENT_SECRET_FILE in a drop-in of the unit, or LoadCredential=.
return {
  listen = "127.0.0.1:8080",   -- or several: { "[::]:8080", "unix:/run/callisto/callisto.sock" }; callisto.socket counts before it
  data = "/var/lib/callisto",

  -- Where clients reach it, behind a proxy or by its own name.
  -- base_url = "https://desk.example.com",
  -- ["http.trusted_proxies"] = { "127.0.0.1" },   -- "unix" for one that asks by a unix socket

  -- The product's entities and scripts, and yours on top of them, which upgrades leave alone.
  -- entities = { "/usr/share/callisto/entities", "/etc/callisto/entities" },
  -- scripts = { "/usr/share/callisto/scripts", "/etc/callisto/scripts" },
}
