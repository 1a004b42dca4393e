package certificate

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"pangolin/internal/certificate/lines"
)

// line is a line of a file, of which one member is set.
type line struct {
	Type   string  `json:"type"`
	Head   *Head   `json:"head,omitempty"`
	Kind   *Kind   `json:"kind,omitempty"`
	Effect *Effect `json:"effect,omitempty"`
	View   *View   `json:"view,omitempty"`
	End    *end    `json:"end,omitempty"`
}

// end tells a whole file from one that was cut.
type end struct {
	Kinds   int `json:"kinds"`
	Effects int `json:"effects"`
	Views   int `json:"views"`
}

// Write writes a file.
func (c *Certificate) Write(w io.Writer) error {
	return lines.Write(w, func(put func(any)) {
		put(line{Type: lines.Mark, Head: &c.Head})
		for i := range c.Kinds {
			put(line{Type: lines.Mark, Kind: &c.Kinds[i]})
		}
		for i := range c.Effects {
			put(line{Type: lines.Mark, Effect: &c.Effects[i]})
		}
		for i := range c.Views {
			put(line{Type: lines.Mark, View: &c.Views[i]})
		}
		put(line{Type: lines.Mark, End: &end{len(c.Kinds), len(c.Effects), len(c.Views)}})
	})
}

// Parse reads a file. That nodes and places are there is not checked.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	var last *end
	for n := 1; len(text) > 0; n++ {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte("\n"))
		l, err := parseLine(one)
		switch {
		case err != nil && n == 1:
			return nil, fmt.Errorf("this is no certificate: %w", err)
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case (n == 1) != (l.Head != nil):
			return nil, fmt.Errorf("line %d: the head of a certificate is its first line", n)
		case last != nil:
			return nil, fmt.Errorf("line %d: there is something behind the end", n)
		}
		switch {
		case l.Head != nil && l.Head.Version != Version:
			return nil, fmt.Errorf("the certificate has version %d and this program reads version %d: prove it again", l.Head.Version, Version)
		case l.Head != nil:
			c.Head = *l.Head
		case l.Kind != nil:
			c.Kinds = append(c.Kinds, *l.Kind)
		case l.Effect != nil:
			c.Effects = append(c.Effects, *l.Effect)
		case l.View != nil:
			c.Views = append(c.Views, *l.View)
		default:
			last = l.End
		}
	}
	if last == nil || *last != (end{len(c.Kinds), len(c.Effects), len(c.Views)}) {
		return nil, errors.New("the certificate is not whole: its last line does not count what it has")
	}
	return c, nil
}

func parseLine(text []byte) (*line, error) {
	var l line
	err := lines.Read(text, &l, func() (string, []bool) {
		return l.Type, []bool{l.Head != nil, l.Kind != nil, l.Effect != nil, l.View != nil, l.End != nil}
	})
	if err != nil {
		return nil, err
	}
	return &l, nil
}
