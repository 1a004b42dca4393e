// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Unexecuted says which lines, each as "file.go:12", in order, no client executes: "no client of these scopes executes file.go:12-14, 20".
func Unexecuted(lines []string) string {
	var parts []string
	var file string
	first, last := 0, 0
	flush := func() {
		if last == 0 {
			return
		}
		text := strconv.Itoa(first)
		if last > first {
			text = fmt.Sprintf("%d-%d", first, last)
		}
		parts = append(parts, text)
	}
	for _, at := range lines {
		name, number, _ := strings.Cut(path.Base(at), ":")
		n, _ := strconv.Atoi(number)
		if name == file && n == last+1 {
			last = n
			continue
		}
		flush()
		if first, last = n, n; name != file {
			file = name
			parts = append(parts, name+":")
		}
	}
	flush()
	return "no client of these scopes executes " + strings.ReplaceAll(strings.Join(parts, ", "), ":, ", ":") + ", of which the verdict says nothing"
}
