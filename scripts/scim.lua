-- What identity providers provision by SCIM (RFC 7643): which entity and property is which resource and attribute.
return scim {
  resource "User" {
    entity     = "person",
    attributes = {
      externalId = "ExternalId", userName = "LoginId", displayName = "Name", active = "IsActive", title = "JobTitle",
      locale = "LanguageCode", timezone = "TimeZone",
      ["name.givenName"] = "FirstName", ["name.familyName"] = "LastName", ["name.formatted"] = "Name",
      ["emails.work"] = "Email", ["phoneNumbers.work"] = "Phone",
      ["enterprise.department"] = "Department", ["enterprise.manager"] = "Manager",
    },
    otherwise  = { LastName = "userName" },   -- a client may send no family name
  },
  resource "Group" {
    entity     = "group",
    attributes = { externalId = "ExternalId", displayName = "Name" },
    members    = "group-member", group = "Group", member = "Person",
  },
}
