package main

import (
	"errors"
	"strconv"
	"strings"
)

// byteSize is a flag's value: a number of bytes, with an optional suffix k, M, G or T
// for powers of 1024.
type byteSize int64

var errByteSize = errors.New("want a number of bytes such as 500M or 4G")

// String prints the size with the largest suffix that divides it.
func (b *byteSize) String() string {
	n, unit := int64(*b), ""
	for _, u := range []string{"k", "M", "G", "T"} {
		if n < 1024 || n%1024 != 0 {
			break
		}
		n, unit = n/1024, u
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads a size.
func (b *byteSize) Set(text string) error {
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
		return errByteSize
	}
	*b = byteSize(n << shift)
	return nil
}
