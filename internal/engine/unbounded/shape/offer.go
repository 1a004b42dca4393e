// SPDX-License-Identifier: BSD-3-Clause

package shape

// An Offer is a ghost: it tells what a cell means for two operations that take effect together, a
// put whose item goes straight to a take (as in an elimination stack). A cell that an operation
// leaves for a partner is that operation's open offer. Whoever replaces the cell may be the
// partner, and then both take effect. The replacement still belongs to the first operation, until
// that replaces it itself and so learns what became of its offer. An operation has at most one
// offer, and a cell belongs to at most one.
//
// Two threads see who holds an offer as they see who holds a lock: one of them, or neither.
type Offer struct {
	Holder Holder
	Stage  Stage
	Takes  bool  // the operation that made it is a take
	Class  Class // class of the item that is put; 0 for a take's offer that is not met yet
}

// Holder tells whose offer it is.
type Holder uint8

// The values of Holder.
const (
	Nobody  Holder = iota // the cell is no offer
	Self                  // the thread that the view belongs to
	Another               // another thread
)

// Stage is what has become of an offer.
type Stage uint8

// The stages.
const (
	Open   Stage = iota // its operation has not taken effect
	Met                 // its operation and a partner's have taken effect
	Missed              // the cell was replaced by an operation that is no partner
)

// Agrees says whether two threads may see one cell as offers o and p: at most one of them holds it.
func (o Offer) Agrees(p Offer) bool {
	if o.Holder == Self && p.Holder == Self {
		return false
	}
	return o.held() == p.held() && o.Stage == p.Stage && o.Takes == p.Takes && o.Class == p.Class
}

func (o Offer) held() bool { return o.Holder != Nobody }

// By is the offer with another holder; the zero Offer if the holder is Nobody.
func (o Offer) By(h Holder) Offer {
	if h == Nobody {
		return Offer{}
	}
	o.Holder = h
	return o
}

// key is an offer as a byte, for keys of heaps.
func (o Offer) key() byte {
	takes := byte(0)
	if o.Takes {
		takes = 1
	}
	return byte(o.Holder) | byte(o.Stage)<<2 | takes<<4 | byte(o.Class)<<5
}
