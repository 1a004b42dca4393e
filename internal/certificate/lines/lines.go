// Package lines writes and reads the lines that files of certificates consist of: JSON objects of the type
// certificate. What is in them is the affair of those whose certificates they are.
package lines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Mark is the type of all lines.
const Mark = "certificate"

// Write writes the lines that give passes to put.
func Write(w io.Writer, give func(put func(line any))) error {
	buffered := bufio.NewWriter(w)
	e := json.NewEncoder(buffered)
	e.SetEscapeHTML(false)
	var err error
	give(func(line any) {
		if err == nil {
			err = e.Encode(line)
		}
	})
	if err != nil {
		return err
	}
	return buffered.Flush()
}

// Read reads a line into l, which has no other members than it. parts says of l what type it has, and which
// of its parts are there: it has to be one.
func Read(text []byte, l any, parts func() (mark string, there []bool)) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(l); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is more than one object")
	}
	members := 0
	mark, all := parts()
	for _, there := range all {
		if there {
			members++
		}
	}
	if mark != Mark || members != 1 {
		return errors.New("it is not a line of a certificate, which has one part and the type certificate")
	}
	return nil
}
