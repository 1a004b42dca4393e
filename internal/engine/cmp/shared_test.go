package cmp_test

import "pangolin/internal/sparing/sources"

var repository = sources.Repository
