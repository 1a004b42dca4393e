module pangolin/internal/judge/testdata/porcupine

go 1.26.0

require (
	github.com/anishathalye/porcupine v1.3.1
	pangolin v0.0.0
)

replace pangolin => ../../../..
