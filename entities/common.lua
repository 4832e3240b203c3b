-- What every entity has. An entity whose own file declares `key` properties has those instead of Ref.
return common {
  properties = {
    key "Ref" { readonly = true,
      description = "The record's number: unique within its entity and the entity's children, never used again." },
    text "Id" { length = 36, readonly = true, display = "ID",
      description = "A GUID, the same in every copy of the data; use it to link foreign systems." },
    datetime "CreatedDate" { readonly = true, indexed = true, display = "Created",
      description = "When the record came to be." },
    lookup "CreatedBy" { entity = "person", readonly = true, indexed = false,
      description = "Who created it; empty for imported records." },
    datetime "UpdatedDate" { readonly = true, display = "Updated",
      description = "When anything in the record last changed." },
    lookup "UpdatedBy" { entity = "person", readonly = true, indexed = false, description = "Who changed it last." },
    lookup "Partition" { entity = "partition", indexed = false, display_types = { "Select" },
      description = "The part of the organisation that it belongs to; limits who sees it in partitioned entities." },
    boolean "IsDeleted" { internal = true, readonly = true, default = false,
      description = "Deleted records stay stored; @IsDeleted finds them." },
    integer "RecordVersion" { internal = true, readonly = true, default = 1,
      description = "Grows with every change; ETag and If-Match compare it." },
  },
}
