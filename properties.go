package pangolin

import (
	"fmt"
	"strings"

	"pangolin/internal/task"
	"pangolin/verdict"
)

// parseProperties reads a list, from the strongest on; "" is linearizability.
func parseProperties(text string) (p task.Asked, err error) {
	switch text {
	case "":
		return task.Asked{Properties: []verdict.Property{verdict.Linear}}, nil
	case "all":
		return task.Asked{Properties: []verdict.Property{verdict.Linear, verdict.Sequential, verdict.Quiescent}, Strongest: true}, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		switch one := verdict.Property(strings.TrimSpace(name)); one {
		case verdict.Linear, verdict.Sequential, verdict.Quiescent, verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree:
			p.Properties = append(p.Properties, one)
		default:
			return p, fmt.Errorf("unknown property %q: there are linear, sc and quiescent, all for the strongest of them that hold, and wait-free, lock-free and obstruction-free", one)
		}
	}
	return p, nil
}
