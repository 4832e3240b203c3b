return entity "sample" { extends = "sample", abstract = true }
