package unbounded

import "pangolin/internal/sparing/sources"

var repository = sources.Repository
