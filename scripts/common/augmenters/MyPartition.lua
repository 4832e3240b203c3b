return func "MyPartition" {
  description = "The Ref of the n-th partition that the session may see, of one that sees all the person's own; else null.",
  returns     = "Integer",
  parameters  = { integer "n" },
  value = function(n, session)
    if session.partitions then return session.partitions[n] end
    return n == 1 and session.person and session.person.Partition or nil
  end,
}
