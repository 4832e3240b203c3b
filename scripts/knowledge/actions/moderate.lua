return action "moderate" {
  description = "Say that you have been over the article.",
  offered     = "!Moderated",
  raises      = "Moderated",
  run = function(article) article.Moderated = true end,
}
