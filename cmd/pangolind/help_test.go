// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"strings"
	"testing"

	"pangolin/internal/manual"
)

// Help has at most 80 columns, names every flag, and goes to standard error as asked for by -h.
func TestHelp_Has80Columns(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"serve", "-h"}, {"worker", "-h"}, {"token", "-h"}, {"version", "-h"}} {
		var out, errs bytes.Buffer
		if code := execute(t.Context(), args, &console{out: &out, err: &errs}); code != 0 {
			t.Errorf("%v: exit code %d", args, code)
		}
		text := errs.String()
		if !strings.HasPrefix(text, "Usage: pangolind") {
			t.Errorf("%v prints %.60q", args, text)
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > manual.Width {
				t.Errorf("%v: %d columns: %s", args, n, line)
			}
		}
		if args[0] == "worker" && !strings.Contains(text, "-stuck") {
			t.Errorf("the flags are missing:\n%s", text)
		}
	}
}
