//go:build prelude

//pangolin:for internal/bytealg

package prelude

// Searches in bytes and strings, which the standard library has in assembly, as plain loops.

//pangolin:model internal/bytealg.MakeNoZero
func makeNoZero(n int) []byte { return make([]byte, n) }

//pangolin:model internal/bytealg.IndexByte
func indexByte(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

//pangolin:model internal/bytealg.IndexByteString
func indexByteString(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

//pangolin:model internal/bytealg.LastIndexByte
func lastIndexByte(b []byte, c byte) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == c {
			return i
		}
	}
	return -1
}

//pangolin:model internal/bytealg.LastIndexByteString
func lastIndexByteString(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

//pangolin:model internal/bytealg.Count
func countByte(b []byte, c byte) int {
	n := 0
	for _, x := range b {
		if x == c {
			n++
		}
	}
	return n
}

//pangolin:model internal/bytealg.CountString
func countByteString(s string, c byte) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

//pangolin:model internal/bytealg.Equal
func equalBytes(a, b []byte) bool { return string(a) == string(b) }

//pangolin:model internal/bytealg.Compare
func compareBytes(a, b []byte) int { return compareStrings(string(a), string(b)) }

//pangolin:model internal/bytealg.CompareString
func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

//pangolin:model internal/bytealg.Index
func indexBytes(a, b []byte) int { return indexString(string(a), string(b)) }

//pangolin:model internal/bytealg.IndexString
func indexString(a, b string) int {
	for i := 0; i+len(b) <= len(a); i++ {
		if a[i:i+len(b)] == b {
			return i
		}
	}
	return -1
}

type indexRabinKarp[T string | []byte] struct{}

//pangolin:model internal/bytealg.IndexRabinKarp
func (indexRabinKarp[T]) call(s, sep T) int { return indexString(string(s), string(sep)) }

type lastIndexRabinKarp[T string | []byte] struct{}

//pangolin:model internal/bytealg.LastIndexRabinKarp
func (lastIndexRabinKarp[T]) call(s, sep T) int {
	a, b := string(s), string(sep)
	for i := len(a) - len(b); i >= 0; i-- {
		if a[i:i+len(b)] == b {
			return i
		}
	}
	return -1
}

// bruteForceLimit is how long strings may be that are searched for byte by
// byte.
const bruteForceLimit = 64

//pangolin:model internal/bytealg.MaxLen
var maxLen = bruteForceLimit - 1

//pangolin:model internal/bytealg.Cutover
func cutover(n int) int { return 4 }

// SPDX-License-Identifier: BSD-3-Clause
