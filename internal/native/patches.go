package native

import (
	"embed"
	"io/fs"
)

//go:embed patch/*.go.txt
var embedded embed.FS

// patches are the texts that are added to the runtime, and the driver.
var patches fs.ReadFileFS = embedded

// SPDX-License-Identifier: BSD-3-Clause
