// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "fmt"

// Locked tells whoever named a type that its documentation keeps it from goroutines that share it: "Cache is not safe for concurrent access".
var Locked = Rule{
	Name: "not for several",
	Doc:  "A violation of a type that is for one goroutine at a time, as its documentation says. Nothing is asked, and no other hint is looked for: the sentence is the hint.",
	When: func(c Case) bool { return violated(c) && c.Reading.Unshared() != "" },
	Conclude: func(c Case, _ []Answer) Case {
		return advise(c, nil, fmt.Sprintf("its documentation says: %q: callers that share one hold a lock of their own", c.Reading.Unshared()))
	},
}
