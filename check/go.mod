module pangolin/check

go 1.21
