-- Texts are compared letter for letter here; desk.search ignores case.
local function check_once(link)
  for _, other in ipairs(desk.search("identity-link", { Issuer = link.Issuer, Subject = link.Subject })) do
    if other ~= link and other.Issuer == link.Issuer and other.Subject == link.Subject then
      reject "Subject: it is somebody's already; delete that link first."
    end
  end
  for _, other in ipairs(desk.search("identity-link", { Issuer = link.Issuer, Person = link.Person })) do
    if other ~= link and other.Issuer == link.Issuer then
      reject "Person: is linked with another subject of this issuer; delete that link first."
    end
  end
end

return hooks { before_create = check_once }
