package cmp

import "pangolin/internal/sparing/sources"

var repository = sources.Repository
