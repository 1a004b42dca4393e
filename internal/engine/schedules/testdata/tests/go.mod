module tested

go 1.26
