package native

import "embed"

//go:embed patch/*.go.txt
var patches embed.FS
