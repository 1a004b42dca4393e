// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"fmt"
	"slices"
	"testing"
)

// An object that a call returns for the first time may have any name that is free: the call that takes effect first need not
// return first, and then its object is the history's second.
func TestChoose_GivesAnObjectAnyNameThatIsFree(t *testing.T) {
	for _, c := range []struct {
		names []byte
		more  int
		most  int
		want  []string
	}{
		{nil, 0, 2, []string{"[]"}},
		{nil, 1, 2, []string{"[1]", "[2]"}},
		{[]byte{2}, 1, 3, []string{"[2 1]", "[2 3]"}},
		{nil, 2, 2, []string{"[1 2]", "[2 1]"}},
		{[]byte{1, 2}, 1, 2, nil}, // no name is left
	} {
		var got []string
		new(self).choose(c.names, c.more, c.most, func(names []byte) { got = append(got, fmt.Sprint(names)) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%d more than %v, of %d names: %v, want %v", c.more, c.names, c.most, got, c.want)
		}
	}
}
