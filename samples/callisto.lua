-- Settings of a desk. Copy this file to callisto.lua in the folder where callisto is started, or name it with --settings.
-- It has every setting with its default, commented out. CALLISTO_LOG_LEVEL=debug in the environment overrides
-- ["log.level"], and --set log.level=debug overrides both. A secret can stand elsewhere: CALLISTO_SSO_SECRET_FILE names a file
-- that holds it, and a systemd credential has its setting's name. `callisto settings` shows which value counts, and why.
return {
  -- listen = "127.0.0.1:8080",                 -- address and port; port 0 picks a free one. Several in braces:
                                                -- { "[::]:8080", "unix:/run/callisto/callisto.sock" }
  -- ["socket.mode"] = "660",                   -- of unix sockets, in octal
  -- ["socket.owner"] = "",                     -- USER, USER:GROUP or :GROUP; "" is the server's own
  -- data = "callisto-data",                    -- folder of the database and of the server's process id
  -- database = "sqlite:callisto-data/desk.db",

  -- entities = { "entities" },                 -- folders of entity files; a file in a later one replaces its namesake
  -- scripts = { "scripts" },
  -- ["limits.attachment"] = "25M",             -- largest file; bytes, or with K or M
  -- ["limits.body"] = "40M",                   -- largest body of a request with files; eight of these at once
  -- ["limits.uploads"] = "2G",                 -- bytes of files that one person may send in a day
  -- ["limits.repeat_keys"] = 36000,            -- requests with an Idempotency-Key that one person may send in an hour
  -- ["limits.answer"] = "32M",                 -- largest answer to a search
  -- ["limits.answers"] = 0,                    -- memory of all answers at once; 0 means a quarter of this machine's
  -- caches = true,                              -- false: nothing is kept for another request; slow, finds wrong answers
  -- ["limits.joined_rows"] = 2000000,          -- rows that joins without a key may examine
  -- ["limits.filter"] = "8K",                  -- longest $filter
  -- ["limits.nodes"] = 500,                    -- comparisons, method calls, flags and operators of a query
  -- ["limits.nesting"] = 24,                   -- levels of parentheses and '!' in a query
  -- ["limits.relations"] = 32,                 -- tables that a query may use, by lookups and joins
  -- ["limits.paths"] = 200,                    -- paths in a $select
  -- ["limits.sort_keys"] = 16,                 -- keys of a $orderby

  -- ["scripts.time_ms"] = 50,                  -- longest run of one script call
  -- ["scripts.memory_mib"] = 32,               -- memory of one script state
  -- ["scripts.statements"] = 1000,             -- database statements of one script call that writes

  -- ["tls.certificate"] = "",                  -- serves https: a PEM file with the server's certificate and after it
                                                -- its signers'. SIGHUP and callisto reload read it anew
  -- ["tls.key"] = "",                          -- PEM file of the private key, not encrypted; empty: in the same file

  -- base_url = "",                             -- where clients reach the server, such as https://desk.example.com; empty:
                                                -- the host that each request names. If a proxy publishes the server below
                                                -- a path, such as https://example.com/desk, with that path, whether or not
                                                -- the proxy takes it off. Behind a proxy with TLS set it: only over https
                                                -- do cookies have their full protection
  -- ["api.root"] = "/service.api/api",         -- url prefix of the API
  -- ["api.versions"] = { "v1", "v1.0" },       -- known in urls; links use the first
  -- ["oauth.root"] = "/service.web/oauth",     -- url prefix of signing in
  -- ["oauth.access_seconds"] = 600,            -- lifetime of an access token
  -- ["oauth.refresh_seconds"] = 86400,         -- lifetime of a refresh token
  -- ["oauth.session_seconds"] = 2592000,       -- longest life of a session, however often it is refreshed
  -- ["oauth.code_seconds"] = 60,               -- lifetime of an authorization code
  -- ["oauth.attempts_per_minute"] = 60,        -- password attempts of one address; and how often one person may
                                                -- set their own password
  -- ["oauth.refreshes_per_minute"] = 0,        -- refreshes of one session; 0: attempts_per_minute, at least 60
  -- ["oauth.client_sign_ins_per_minute"] = 0,  -- sign-ins of one client for itself, from one address; 0 likewise
  -- licences = 0,                              -- sessions that may exist at once; 0 means unlimited
  -- ["licences.per_person"] = 0,               -- how many of them one person may hold, if they are counted; one more ends
                                                -- the oldest. 0 means a quarter, at least 3

  -- ["server.name"] = "Callisto",              -- what the sign-in page calls this server

-- A reverse proxy before this server: X-Forwarded-For and X-Forwarded-Proto are believed only from these addresses. The
-- proxy must add its client's address to the former and set the latter, whatever the client sent.
  -- ["http.trusted_proxies"] = {},             -- addresses and CIDR ranges: { "127.0.0.1", "10.1.0.0/24" };
                                                -- "unix": whoever comes by a unix socket

-- Browsers hide the API from pages of another origin unless that origin is named here.
  -- ["http.cors_origins"] = {},                -- { "https://app.example.com", "http://localhost:5173" }, or { "*" } for all

-- A server that listens on loopback and has no base_url answers to addresses of this machine and to localhost. Any other
-- name is refused with 421, since any site may let its own name lead here.
  -- ["http.hosts"] = {},                       -- further names: { "desk.test" }

  -- ["http.gzip"] = true,                      -- compresses answers to GET for clients that take it

-- A reverse proxy that signs people in (Windows authentication, SAML) may pass on their names. They are believed
-- only from these addresses and together with the secret. Let the proxy remove both headers from what its own clients
-- send; let nobody but the proxy see the secret.
  -- ["sso.trusted_proxies"] = {},              -- addresses and CIDR ranges: { "10.0.0.5", "10.1.0.0/24" }
  -- ["sso.header"] = "X-Remote-User",          -- holds name, DOMAIN\name or name@REALM
  -- ["sso.secret"] = "",                       -- what it sends as X-Callisto-Proxy-Secret; openssl rand -hex 32
  -- ["sso.realms"] = {},                       -- { "CORP" } cuts CORP\ off; other domains stay part of the name

  -- ["oidc.issuer"] = "",                      -- an OpenID Connect provider, exactly as it spells its url, such as
                                                -- https://login.example.com/realm. Needs base_url; register there as
                                                -- redirect uri: base_url, oauth.root and /callback, joined
  -- ["oidc.name"] = "",                        -- what the login page calls it; empty: its host
  -- ["oidc.client_id"] = "",
  -- ["oidc.client_secret"] = "",               -- empty: only PKCE
  -- ["oidc.scopes"] = "openid profile email",
  -- ["oidc.login_claim"] = "preferred_username",
  -- ["oidc.proxy"] = "",                       -- an HTTP proxy on the way to the provider: "http://proxy.example:3128"

-- Webhooks. Receivers' guide: webhooks/README.md.
  -- ["webhooks.include_attachments"] = false,  -- whether payloads include their record's files
  -- ["webhooks.networks"] = "intranet",        -- "internet" refuses private addresses too, "open" allows this machine
  -- ["webhooks.schedule"] = "",                -- when a delivery is tried again, in seconds after the first attempt;
                                                -- empty: 0,5,30,120,300,600,1200,2100,3000,3570
  -- ["webhooks.time_scale"] = 1,               -- scales the schedule and its hour; for tests
  -- ["webhooks.keep_days"] = 30,               -- how long finished deliveries are kept
  -- ["webhooks.ca_file"] = "",                 -- authorities for receivers in addition to the system's, a PEM file
  -- ["webhooks.proxy"] = "",                   -- an HTTP proxy for deliveries: "http://proxy.example:3128"
  -- ["webhooks.no_proxy"] = {},                -- hosts reached without the proxy: { "crm.example", ".intranet.example" }

  -- ["log.level"] = "info",                    -- debug, info, warning, error or off
  -- ["log.format"] = "text",                   -- or "json"
  -- ["log.access"] = true,                     -- a line for each request, at level info
  -- ["log.probes"] = false,                    -- and for /healthz, /readyz and /metrics where they go well
  -- ["log.slow_ms"] = 1000,                    -- requests that take longer are logged, searches with their plan; 0: none
  -- ["metrics.allow"] = {},                    -- who may read /metrics beside this machine: { "10.1.0.0/24" }
  -- workbench = true,                          -- the pages at /workbench, for people with a browser
  -- ["workbench.allow"] = {},                  -- who may open them beside this machine; empty: everybody
}
