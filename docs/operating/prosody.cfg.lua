-- Prosody for the events of the service: users over WebSocket, the service as a component (XEP-0114).
-- TLS ends at the reverse proxy before port 5280. Accounts are those of the users: their `jid_im` and `jid_password`.
log = { info = "*console" }
data_path = "/var/lib/prosody"

modules_enabled = { "roster", "saslauth", "disco", "ping", "offline", "websocket" }
modules_disabled = { "s2s" }
authentication = "internal_hashed"

-- The WebSocket port is reached through the proxy only, which has TLS.
c2s_ports = {}
c2s_require_encryption = false
consider_websocket_secure = true
http_ports = { 5280 }
http_interfaces = { "*" }
https_ports = {}
http_default_host = "svc.example.com"
http_paths = { websocket = "/websocket" }

-- XEP-0114 has no TLS: only the network of these containers.
component_ports = { 5347 }
component_interfaces = { "*" }

-- The domain of `jid_im`. The component is below it, otherwise clients do not trust its events.
VirtualHost "svc.example.com"

local secret = assert(io.open("/run/secrets/component_secret")):read("*l")
Component "events.svc.example.com"
    component_secret = secret
