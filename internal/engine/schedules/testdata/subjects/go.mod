module subjects

go 1.26
