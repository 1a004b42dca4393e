// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"math"
)

// Functions of package math whose bodies look at bits or are written in assembly:
// they are those of the machine's own processor. Their names may have "arch" in
// front, as the assembly versions do.

var unaryMath = map[string]func(float64) float64{
	"Abs": math.Abs, "Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh,
	"Atan": math.Atan, "Atanh": math.Atanh, "Cbrt": math.Cbrt, "Ceil": math.Ceil, "Cos": math.Cos,
	"Cosh": math.Cosh, "Erf": math.Erf, "Erfc": math.Erfc, "Exp": math.Exp, "Exp2": math.Exp2,
	"Expm1": math.Expm1, "Floor": math.Floor, "Log": math.Log, "Log10": math.Log10, "Log1p": math.Log1p,
	"Log2": math.Log2, "Round": math.Round, "RoundToEven": math.RoundToEven, "Sin": math.Sin,
	"Sinh": math.Sinh, "Sqrt": math.Sqrt, "Tan": math.Tan, "Tanh": math.Tanh, "Trunc": math.Trunc,
}

var binaryMath = map[string]func(x, y float64) float64{
	"Atan2": math.Atan2, "Copysign": math.Copysign, "Dim": math.Dim, "Hypot": math.Hypot, "Max": math.Max,
	"Min": math.Min, "Mod": math.Mod, "Pow": math.Pow, "Remainder": math.Remainder,
}

var mathBuiltins = makeMath()

func makeMath() map[string]*builtin {
	all := map[string]*builtin{
		"math.FMA": simple(func(c *call) {
			c.out[0] = math.Float64bits(math.FMA(float(c.args[0]), float(c.args[1]), float(c.args[2])))
		}),
	}
	// A float's word holds its bits.
	for _, name := range []string{"Float64bits", "Float64frombits", "Float32bits", "Float32frombits"} {
		all["math."+name] = simple(func(c *call) { c.out[0] = c.args[0] })
	}
	for name, f := range unaryMath {
		b := simple(func(c *call) { c.out[0] = math.Float64bits(f(float(c.args[0]))) })
		all["math."+name], all["math.arch"+name] = b, b
	}
	for name, f := range binaryMath {
		b := simple(func(c *call) { c.out[0] = math.Float64bits(f(float(c.args[0]), float(c.args[1]))) })
		all["math."+name], all["math.arch"+name] = b, b
	}
	all["math.sqrt"] = all["math.Sqrt"]
	return all
}

func float(w uint64) float64 { return math.Float64frombits(w) }
