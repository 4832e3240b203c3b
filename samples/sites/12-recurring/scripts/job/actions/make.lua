return action "make" {
  description = "Make its call.", allowed = {}, due = "Next <= @Now",
  run = function(job)
    desk.create("service-request", { ShortDescription = job.Title })
    job.Next = datetime.add(job.Next, job.Days)
  end,
}
