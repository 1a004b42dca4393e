// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseProtocol reads a protocol; nil if there is none.
func ParseProtocol(text string) (*Protocol, error) {
	switch text {
	case "":
		return nil, nil
	case "nonblocking", "blocking", "synchronous":
		return &Protocol{Kind: ProtocolKind(text)}, nil
	}
	if n, ok := strings.CutPrefix(text, "bounded("); ok {
		if n, ok := strings.CutSuffix(n, ")"); ok {
			if c, err := strconv.Atoi(n); err == nil && c > 0 {
				return &Protocol{Kind: Bounded, Capacity: c}, nil
			}
		}
	}
	return nil, fmt.Errorf("unknown protocol %q: there are nonblocking, blocking, bounded(N) and synchronous", text)
}
