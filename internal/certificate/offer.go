// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"fmt"
	"slices"
	"strings"
)

// Offers say which cells operations leave for a partner: those of a type in which a word has a value.
type Offers struct {
	Type  int   `json:"type"`
	Off   int   `json:"off"`
	Value int32 `json:"value"`
}

// Offer is what a cell means for operations that take effect together. The zero value is no offer.
type Offer struct {
	Holder Holder
	Stage  Stage
	Takes  bool // it is of an operation that takes; otherwise of one that puts
	// Item is the item that is put, if the offer is open; the item that a take has got, if it is met; else 0.
	Item Word
}

// Holder says whose an offer is, as the thread sees it whose view it is.
type Holder string

// The holders.
const (
	Mine   Holder = "mine"
	Others Holder = "others"
)

// Stage is what has become of an offer.
type Stage string

// The stages.
const (
	Open   Stage = "open"   // its operation has not taken effect
	Met    Stage = "met"    // it has, with a partner
	Missed Stage = "missed" // it has been replaced by somebody else than a partner
)

// String writes !mine,open,put,>k; nothing if it is no offer.
func (o Offer) String() string {
	if o == (Offer{}) {
		return ""
	}
	role := "put"
	if o.Takes {
		role = "take"
	}
	return fmt.Sprintf("!%s,%s,%s,%s", o.Holder, o.Stage, role, o.Item)
}

// parseOffer reads what String writes behind the mark.
func parseOffer(s string) (o Offer, err error) {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return o, fmt.Errorf("%q is no offer", s)
	}
	o = Offer{Holder: Holder(parts[0]), Stage: Stage(parts[1]), Takes: parts[2] == "take"}
	known := slices.Contains([]Holder{Mine, Others}, o.Holder) && slices.Contains([]Stage{Open, Met, Missed}, o.Stage) && (o.Takes || parts[2] == "put")
	if o.Item, err = parseWord(parts[3]); err == nil && !known {
		err = fmt.Errorf("%q is no offer", s)
	}
	return o, err
}
