// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"slices"
	"testing"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// held is a place that holds some items, in an order, and keys, at offsets.
type held struct {
	Place
	items  []uint8
	keys   uint64
	ranked uint64 // what Rank was asked for
}

func (h *held) Items() []uint8 { return h.items }
func (h *held) Keys() uint64   { return h.keys }
func (h *held) Root() uint64   { return 0 }
func (h *held) Rank(present uint64) bool {
	h.ranked = present
	return true
}

// remembers is a listener that remembers some names, and notes how it is to rename them.
type remembers struct {
	consist.Monitor
	names oracle.Names
	asked oracle.Renaming
}

func (r *remembers) Names(consist.ID) oracle.Names { return r.names }
func (r *remembers) Renaming(to oracle.Renaming) oracle.RenamingID {
	r.asked = to
	return 0
}
func (r *remembers) RenameValues(id consist.ID, _ oracle.RenamingID) consist.ID { return id + 1 }

// namesOf are those of a state with so many items and keys, of one operation that takes either.
func namesOf(items, keys uint64, h *held, r *remembers) *Names {
	op := subject.Operation{Client: client.Op{Params: []oracle.Param{oracle.ParamKey, oracle.ParamItem}}}
	n := &Names{At: h, opt: &Options{Operations: []subject.Operation{op}, Renamed: Renamed{Generic: true, Items: true, Keys: true}},
		listener: &Listener{Monitor: r}, renamings: map[oracle.Renaming]oracle.RenamingID{}}
	n.Load(items<<client.ItemsShift | keys<<client.KeysShift)
	return n
}

// Items: the state had three, 0 to 2, and a call has brought the fourth, 3. The place holds 3 and 1, in this order, the listener
// remembers 0 besides, and nobody 2. So 3 becomes 0, 1 stays, 0 becomes 2.
func TestNames_OfItemsFollowThePlaceAndThenTheListener(t *testing.T) {
	h := &held{items: []uint8{3, 1}}
	r := &remembers{}
	r.names[oracle.Items] = 1<<(0+1) | 1<<(1+1) // as values, one more than the names
	id, counts, ok := namesOf(3, 0, h, r).Rename(7)
	if id != 8 || counts != 3<<client.ItemsShift || !ok {
		t.Errorf("state %d, counts %x", id, counts)
	}
	for name, want := range map[int]uint8{3: 0, 1: 1, 0: 2} {
		if got := r.asked[oracle.Items][name+1]; got != want+1 {
			t.Errorf("item %d becomes %d, want %d", name, got-1, want)
		}
	}
}

// Keys: the state had two, at offsets 2 and 4; a call brings one between them, at offset 3. The place holds the last two, the
// listener remembers the first besides. All three have ranks then: 2, 3, 4 become 0, 1, 2; their names were 0, 2 (the next), 1.
func TestNames_OfKeysAreTheirRanks(t *testing.T) {
	h := &held{keys: 1<<3 | 1<<4}
	r := &remembers{}
	r.names[oracle.Keys] = 1<<0 | 1<<2
	n := namesOf(0, 2, h, r)
	step := n.Fresh(client.Step{Args: history.Of(client.Gap(1), history.IntValue(1))})
	if key := step.Args.At(0).Int; key != 2 {
		t.Errorf("the new key has the name %d, want 2", key)
	}
	if words := n.Words(&step); words[1] != vm.KeyBefore(1) {
		t.Errorf("it is the word %x, want %x", words[1], vm.KeyBefore(1))
	}
	id, counts, ok := n.Rename(7)
	if id != 8 || counts != 3<<client.KeysShift || !ok || h.ranked != 1<<2|1<<3|1<<4 {
		t.Errorf("state %d, counts %x, ranked among %b", id, counts, h.ranked)
	}
	if want := []int{0, 2, 1}; !slices.Equal(n.Before, want) {
		t.Errorf("they had the names %v, want %v", n.Before, want)
	}
	if got := r.asked[oracle.Keys]; got[0] != 0 || got[2] != 1 {
		t.Errorf("the listener's keys 0 and 2 become %d and %d", got[0], got[2])
	}
	// One that has the names of its ranks already is left alone.
	h.keys, r.names[oracle.Keys] = 1<<2|1<<4, 0
	n.Load(2 << client.KeysShift)
	if id, _, _ := n.Rename(7); id != 7 || h.ranked != 0 {
		t.Errorf("state %d, ranked among %b; want 7 and nothing", id, h.ranked)
	}
}
