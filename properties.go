package pangolin

import (
	"fmt"
	"strings"

	"pangolin/verdict"
)

// properties are those that are asked for.
type properties struct {
	list      []verdict.Property // from the strongest on
	strongest bool               // only the strongest that hold
}

// parseProperties reads a list; "" is linearizability.
func parseProperties(text string) (properties, error) {
	switch text {
	case "":
		return properties{list: []verdict.Property{verdict.Linear}}, nil
	case "all":
		return properties{[]verdict.Property{verdict.Linear, verdict.Sequential, verdict.Quiescent}, true}, nil
	}
	var p properties
	for name := range strings.SplitSeq(text, ",") {
		switch one := verdict.Property(strings.TrimSpace(name)); one {
		case verdict.Linear, verdict.Sequential, verdict.Quiescent, verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree:
			p.list = append(p.list, one)
		default:
			return p, fmt.Errorf("unknown property %q: there are linear, sc and quiescent, all for the strongest of them that hold, and wait-free, lock-free and obstruction-free", one)
		}
	}
	return p, nil
}
