package agreement

import "regexp"

// known are the constructs on which the sides are known to differ, with the reason: texts
// that use one are left out of a comparison in which they differ, and counted. The page
// doc/disagreements.md says more about each.
var known = []struct {
	construct *regexp.Regexp
	reason    string
}{
	{regexp.MustCompile(`\bclear\(`), "neither gc's instrumentation nor the race detector sees clear of a slice"},
	{regexp.MustCompile(`\b(sort|slices)\.`), "library functions on racing elements take the machine fewer steps"},
	{regexp.MustCompile(`\bcopy\(`), "copying racing elements is one step of the machine"},
	{regexp.MustCompile(`RUnlock\(`), "a second misuse of a lock before the first has ended the program"},
	{regexp.MustCompile(`\blen\([a-z.]*[cde]0?\)`), "gc's instrumentation makes len of a channel a call, which comes first"},
	{regexp.MustCompile(`\b([\w.\[\]]+) = ([\w.\[\]]+)\n`), "gc makes no write of a variable to itself"},
	{regexp.MustCompile(`\.Go\(func`), "a panic in WaitGroup.Go is printed without [recovered, repanicked]"},
	{regexp.MustCompile(`cond0?\.`), "sync.Cond's check of copies is inlined into instrumented code"},
}

// knownReason is why a difference about a text need not be one; "" if nothing is known.
func knownReason(source string) string {
	for i := range known {
		for _, m := range known[i].construct.FindAllStringSubmatch(source, -1) {
			if len(m) < 3 || m[1] == m[2] {
				return known[i].reason
			}
		}
	}
	return ""
}
