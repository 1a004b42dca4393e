// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"errors"
	"strconv"
	"strings"
)

var errBytes = errors.New("want a number of bytes such as 500M or 4G")

// formatBytes writes a number of bytes with the largest suffix that divides it.
func formatBytes(n int64) string {
	unit := ""
	for _, u := range []string{"k", "M", "G", "T"} {
		if n < 1024 || n%1024 != 0 {
			break
		}
		n, unit = n/1024, u
	}
	return strconv.FormatInt(n, 10) + unit
}

// parseBytes reads a number of bytes, with an optional suffix k, M, G or T for powers of
// 1024.
func parseBytes(text string) (int64, error) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "B"), "i")
	shift := 0
	if n := len(text) - 1; n > 0 {
		if i := strings.IndexByte("kMGT", text[n]); i >= 0 {
			shift, text = 10*(i+1), text[:n]
		} else if text[n] == 'K' {
			shift, text = 10, text[:n]
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return 0, errBytes
	}
	return n << shift, nil
}
