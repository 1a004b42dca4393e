// SPDX-License-Identifier: BSD-3-Clause

package shape

// An Offer is a ghost: it says what a cell means for operations that take effect together, a put whose item
// goes straight to a take. A cell that an operation leaves for a partner is that operation's open
// offer. Who replaces it may be the partner, and then both take effect; what it is replaced by
// is the same operation's, until that operation replaces it itself and so learns what has become of
// it. An operation has at most one offer, and a cell is at most one's.
//
// Of whom an offer is, two threads see as they see a lock: one of them has it, or neither.
type Offer struct {
	Holder Holder
	Stage  Stage
	Takes  bool  // the operation that made it takes
	Class  Class // of the item that is put; of an offer that takes, once it is met; otherwise 0
}

// Holder says whose an offer is.
type Holder uint8

// The holders.
const (
	Nobody  Holder = iota // it is no offer
	Self                  // of the thread whose view it is
	Another               // of another thread
)

// Stage is what has become of an offer.
type Stage uint8

// The stages.
const (
	Open   Stage = iota // the operation has not taken effect
	Met                 // it has, together with a partner
	Missed              // somebody else than a partner has replaced the cell
)

// Agrees says whether two threads may see one cell as offers o and p: at most one of them holds it.
func (o Offer) Agrees(p Offer) bool {
	if o.Holder == Self && p.Holder == Self {
		return false
	}
	return o.held() == p.held() && o.Stage == p.Stage && o.Takes == p.Takes && o.Class == p.Class
}

func (o Offer) held() bool { return o.Holder != Nobody }

// By is the offer with another holder; no offer if the holder is Nobody.
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
