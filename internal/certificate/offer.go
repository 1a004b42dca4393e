// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"fmt"
	"slices"
	"strings"
)

// Offers tells in which cells operations offer to take effect together with a partner: those of a type in which a word has a value.
type Offers struct {
	Type  int   `json:"type"`
	Off   int   `json:"off"`
	Value int32 `json:"value"`
}

// Offer is the meaning of such a cell. The zero value is no offer.
type Offer struct {
	Holder Holder
	Stage  Stage
	Takes  bool // the offer of a take; otherwise of a put
	// Item is the item of a put with an open offer, or the item that the take of a met offer has got; else 0.
	Item Word
}

// Holder is the thread that made an offer, relative to the thread whose view it is.
type Holder string

// The holders.
const (
	Mine   Holder = "mine"
	Others Holder = "others"
)

// Stage is the state of an offer.
type Stage string

// The stages.
const (
	Open   Stage = "open"   // its operation has not taken effect
	Met    Stage = "met"    // its operation has taken effect, with a partner
	Missed Stage = "missed" // another operation than a partner has replaced it
)

// String writes an offer as !mine,open,put,>k; "" if there is none.
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

// parseOffer parses what String writes after the exclamation mark.
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
