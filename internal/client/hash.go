// SPDX-License-Identifier: BSD-3-Clause

package client

import "fmt"

// ParseHash reads a hash model, as Hash.String writes it; "" is def.
func ParseHash(text string, def Hash) (Hash, error) {
	switch text {
	case "":
		return def, nil
	case "identity":
		return Hash{}, nil
	}
	var h Hash
	if n, err := fmt.Sscanf(text, "nondet(%d,%d)", &h.Domain, &h.Range); n != 2 || err != nil || h.Domain < 1 || h.Range < 1 {
		return def, fmt.Errorf("unknown hash model %q: there are identity and nondet(m,N)", text)
	}
	h.Nondeterministic = true
	return h, nil
}
