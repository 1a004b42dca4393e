// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"fmt"
	"testing"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// set is a system whose one operation takes a key, and held, as states hold it, its keys.
func keyed() *system {
	op := subject.Operation{Client: client.Op{Params: []oracle.Param{oracle.ParamKey}}}
	return &system{subject: &subject.Subject{Operations: []subject.Operation{op}}, opt: systemOptions{Renamed: play.Renamed{Keys: true}}}
}

func keyStep(key int64) client.Step { return client.Step{Args: history.Ints(key)} }

// Keys keep their numbers while their ranks change, and in the end have values in the order
// in which they stood all along.
func TestNumbering_GivesKeysValuesInTheirOrder(t *testing.T) {
	sys := keyed()
	rec := Recording{Pre: []client.Step{keyStep(0)}}
	n := sys.numbering(rec.Pre)
	call := func(choice int64, ranked ...int) {
		rec.Calls = append(rec.Calls, n.call(keyStep(choice)))
		n.settle(&cursor{names: &play.Names{Before: ranked}})
	}
	call(-1, 1, 0) // a new key before the first: by rank, that which is new and the old one
	call(0, 0, 1)  // the first once more
	call(-3, 0, 2) // a new one behind both; the second is forgotten
	call(-2, 0, 2, 1)
	n.finish(&rec)
	var got []int64
	for _, s := range append(rec.Pre, rec.Calls...) {
		got = append(got, s.Args.At(0).Int)
	}
	// The keys, from the least: the first call's, the pre-add's, the last call's, the third's.
	if want := []int64{1, 0, 0, 3, 2}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the keys are %v, want %v", got, want)
	}
}

func TestNumbering_CountsItemsFromThePreAddsOn(t *testing.T) {
	op := subject.Operation{Client: client.Op{Params: []oracle.Param{oracle.ParamItem}}}
	sys := &system{subject: &subject.Subject{Operations: []subject.Operation{op}}, opt: systemOptions{Renamed: play.Renamed{Items: true}}}
	n := sys.numbering([]client.Step{keyStep(1), keyStep(2)})
	for want := int64(3); want < 6; want++ {
		if got := n.call(keyStep(99)).Args.At(0).Int; got != want {
			t.Errorf("item %d, want %d", got, want)
		}
	}
}
