// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// builtins are the standard packages whose source is never compiled: their functions are built into
// the machine, or modelled by the prelude. Of the other standard packages, whatever the prelude
// does not model is compiled from source.
var builtins = map[string]bool{
	"sync": true, "sync/atomic": true, "runtime": true, "hash/maphash": true, "fmt": true, "os": true,
	"reflect": true, "syscall": true, "unsafe": true, "log": true, "testing": true, "pangolin/mark": true,
	"internal/race": true, "internal/bytealg": true, "internal/cpu": true, "internal/abi": true,
	"internal/reflectlite": true, "internal/poll": true, "internal/testlog": true, "internal/godebug": true,
	"internal/synctest": true, "internal/msan": true, "internal/asan": true, "unique": true, "weak": true, "pangolin": true, "pangolin/check": true,
}

// isToolPath reports whether a package is one of Pangolin's own that tests import to call CheckNew or check.New.
func isToolPath(path string) bool { return path == "pangolin" || path == "pangolin/check" }

func isBuiltin(path string) bool {
	return builtins[path] || strings.HasPrefix(path, "runtime/") || strings.HasPrefix(path, "internal/runtime/") ||
		strings.HasPrefix(path, "internal/goarch") || strings.HasPrefix(path, "internal/goos") ||
		strings.HasPrefix(path, "internal/goexperiment")
}

// hardware are packages whose variables say which features the processor has. Left zero they say
// that it has none, which changes no result.
var hardware = map[string]bool{"internal/cpu": true, "internal/runtime/sys": true}

// uninitialised names a variable that an instruction works on and whose package is never
// initialised, as its source is not compiled; "" if there is none. It would be zero where a program
// expects another value (os.ErrProcessDone).
func (b *built) uninitialised(instr ssa.Instruction) string {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if g, ok := (*op).(*ssa.Global); ok && b.models.global(g) == g && isBuiltin(g.Pkg.Pkg.Path()) && !hardware[g.Pkg.Pkg.Path()] {
			return g.String()
		}
	}
	return ""
}

// preselected are standard packages that are compiled from source as soon as a
// program imports them: small ones, or ones that are executed when imported.
var preselected = map[string]bool{
	"strings": true, "sort": true, "slices": true, "maps": true, "cmp": true, "iter": true,
	"unicode/utf8": true, "math/bits": true, "container/heap": true, "container/list": true,
	"container/ring": true, "errors": true, "internal/stringslite": true, "internal/byteorder": true,
}

func isPreselected(path string) bool { return preselected[path] }

// inMachine are functions with a Go body that the machine executes itself:
// those that look at the bits of floating-point numbers through unsafe casts, and
// those that have faster or more exact versions in assembly.
var inMachine = map[string]bool{
	"math.Float64bits": true, "math.Float64frombits": true, "math.Float32bits": true, "math.Float32frombits": true,
	"math.Sqrt": true, "math.sqrt": true, "math.Floor": true, "math.Ceil": true, "math.Trunc": true, "math.Abs": true,
	"math.Exp": true, "math.Log": true, "math.Hypot": true, "math.Max": true, "math.Min": true, "math.FMA": true,
	"math.Pow": true, "math.Mod": true, "math.Sin": true, "math.Cos": true, "math.Tan": true, "math.Log2": true,
	"math.Log10": true, "math.Exp2": true,
}

// hasBody says whether fn is compiled, as opposed to External.
func (b *built) hasBody(fn *ssa.Function) bool {
	if fn.Blocks == nil || fn.Pkg != nil && fn.Pkg.Pkg.Path() == "math" && inMachine[originName(fn)] {
		return false
	}
	return b.given == nil || packageOf(fn) != b.target.Pkg || !b.given(originName(fn))
}
