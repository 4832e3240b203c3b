return action "create" {
  title       = "Create",
  description = "Begin an article; it is a draft of yours.",
  raises      = "Created",
  mandatory   = { "Title" },  -- no mutant: the property is required of every record
  run = function(article, _, session) article.Author = session.user_id end,
}
