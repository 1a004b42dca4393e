package collections

import "embed"

// Expectations holds every package's EXPECT.csv and PINNED.csv, as queue/EXPECT.csv and
// so on.
//
//go:embed */EXPECT.csv
var Expectations embed.FS
