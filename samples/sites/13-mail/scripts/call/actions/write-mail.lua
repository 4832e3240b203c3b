return action "write-mail" {
  description = "Have a mail written to the user: a webhook on MailWanted tells the mailer.",
  from        = "Open*",
  raises      = "MailWanted",
  mandatory   = { richtext "Description" { description = "What it says." } },
}
