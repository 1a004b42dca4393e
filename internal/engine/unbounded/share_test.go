package unbounded

import "pangolin/internal/test/sources"

var repository = sources.Repository
