// Numbers, strings, arrays, conversions.
package main

import (
	"math"
	"math/bits"
	"unicode"
)

type celsius float32
type vector [3]int
type empty struct{}

var matrix = [2][2]complex128{{1, 2i}, {3 + 4i}}

func shift(x int8, n uint, m int) (int8, int8) { return x << n, x >> m }

func nan() float64 { return math.NaN() }

func main() {
	var v vector
	w := v
	w[1] = 2
	for i, x := range w {
		v[i] += x
	}
	a := [...]string{2: "c", 0: "a"}
	s := a[:]
	arr := [2]string(s[:2])
	ptr := (*[3]string)(s)
	println(v == w, arr[0], ptr[2], len(a), cap(s[1:2:3]))
	z := matrix[1][0] * 2
	println(real(z), imag(z), complex(1, float64(celsius(2))), z == matrix[0][1])
	println(min(3, 1, 2), max(nan(), 1), min("b", "a"), celsius(math.Sqrt(2)))
	println(shift(-3, 200, 2))
	println(uint8(300&0xff), int16(math.MaxInt8), float32(1)/3, bits.OnesCount8(7), bits.Len(9))
	println([]byte("x")[0], string([]rune{0x4e16}), string(rune(65)), unicode.IsUpper('É'))
	var e [3]empty
	println(e == [3]empty{}, empty{} == e[1], ^5, -v[0], 7&^2, 7%4)
	m := map[empty]vector{{}: w}
	println(m[empty{}][1], len(m))
	x, y := 1, 2
	x, y = y, x
	println(x, y, "a"+"b" > "aa", !true)
	clear(s)
	copy(s, []string{"q"})
	n := copy([]byte("abc"), "xy")
	s = append(s, s...)
	println(n, s[0], string(append([]byte("a"), "bc"...)))
	const huge = 1 << 63
	println(uint64(huge), math.MinInt64, math.MaxUint32)
}
