package front

import "strings"

// builtins are the standard packages whose functions the machine or the
// prelude gives a meaning to: their source is not compiled.
var builtins = map[string]bool{
	"sync": true, "sync/atomic": true, "runtime": true, "time": true, "context": true, "math/rand": true,
	"math/rand/v2": true, "hash/maphash": true, "fmt": true, "errors": true, "os": true, "io": true, "reflect": true,
	"syscall": true, "unsafe": true, "log": true, "testing": true, "pangolin/mark": true,
	"internal/sync": true, "internal/race": true, "internal/bytealg": true, "internal/cpu": true,
	"internal/abi": true, "internal/reflectlite": true, "internal/poll": true, "internal/testlog": true,
	"internal/godebug": true, "unique": true, "weak": true, "internal/synctest": true, "internal/msan": true, "internal/asan": true,
}

func isBuiltin(path string) bool {
	return builtins[path] || strings.HasPrefix(path, "runtime/") || strings.HasPrefix(path, "internal/runtime/") ||
		strings.HasPrefix(path, "internal/goarch") || strings.HasPrefix(path, "internal/goos") ||
		strings.HasPrefix(path, "internal/goexperiment")
}

// preselected are standard packages that are compiled from source as soon as a
// program imports them: small ones, or ones that are executed when imported.
var preselected = map[string]bool{
	"strings": true, "sort": true, "slices": true, "maps": true, "cmp": true, "iter": true,
	"unicode/utf8": true, "math/bits": true, "container/heap": true, "container/list": true,
	"container/ring": true, "internal/stringslite": true, "internal/byteorder": true,
}

func isPreselected(path string) bool { return preselected[path] }
