// SPDX-License-Identifier: BSD-3-Clause

package recorded_test

import (
	"fmt"
	"strings"

	"pangolin/history/recorded"
)

// Seats are given away until there are none.
type Seats struct{ left int }

func (s *Seats) Reserve() bool {
	if s.left == 0 {
		return false
	}
	s.left--
	return true
}

// The last seat is given away twice: no order of the calls explains that.
func ExampleType() {
	lines := `{"history":1,"kind":"object"}
{"client":"a","op":"reserve","result":true,"call":1,"return":4}
{"client":"b","op":"reserve","result":true,"call":2,"return":3}
`
	spec := recorded.Type(func() *Seats { return &Seats{left: 1} })
	v, err := recorded.Judge(strings.NewReader(lines), spec, recorded.Options{})
	fmt.Println(v.Status, err)
	// Output:
	// violated <nil>
}
