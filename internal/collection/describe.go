package collection

import (
	"fmt"
	"io"
	"strings"

	"pangolin/oracle"
)

// width is how wide a description is, unless a word or a signature is longer.
const width = 80

// Describe writes what would be verified, for people: types, constructors,
// operations, kinds, oracles, and what was left out.
func Describe(w io.Writer, cs []*Collection) error {
	p := &page{}
	for i, c := range cs {
		if i > 0 {
			p.line("")
		}
		p.collection(c)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// DescribeRejected writes which types were passed over, and why.
func DescribeRejected(w io.Writer, rejected []Rejected) error {
	p := &page{}
	for _, r := range rejected {
		p.line("%s", r.Type)
		p.wrap("  not verified  ", r.Why)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// page is text in the making.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// wrap writes words after a heading, in as many lines as it takes.
func (p *page) wrap(heading, text string) {
	indent := strings.Repeat(" ", len(heading))
	line := heading
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) > width && strings.TrimSpace(line) != "" && line != indent {
			p.line("%s", line)
			line = indent
		}
		line += word + " "
	}
	p.line("%s", line)
}

func (p *page) collection(c *Collection) {
	p.line("%s", c.Display)
	p.line("  new         %s", c.New)
	p.line("  kind        %s, %s", c.Kind, c.Protocol)
	p.line("  oracle      %s", c.Oracle)
	p.wrap("  why         ", c.Reason)
	p.operations(c.Operations)
	for i, s := range c.Skipped {
		heading := "  left out    "
		if i > 0 {
			heading = "              "
		}
		p.wrap(heading+s.Name+": ", s.Why)
	}
}

func (p *page) operations(ops []Operation) {
	longest := 0
	for i := range ops {
		longest = max(longest, len(ops[i].Signature()))
	}
	for i := range ops {
		heading := "  operations  "
		if i > 0 {
			heading = "              "
		}
		sig, meaning := ops[i].Signature(), ops[i].meaning()
		if len(heading)+longest+2+len(meaning) > width {
			p.line("%s%s", heading, sig)
			if meaning != "" {
				p.line("                  %s", meaning)
			}
			continue
		}
		p.line("%s%-*s  %s", heading, longest, sig, meaning)
	}
}

// Signature is the operation as Go writes it, with the types of one
// instantiation: "Insert(key int, prio int) bool".
func (o *Operation) Signature() string {
	var params, results []string
	for _, p := range o.Params {
		params = append(params, strings.TrimSpace(p.Name+" "+p.Type))
	}
	for _, r := range o.Results {
		results = append(results, strings.TrimSpace(r.Name+" "+r.Type))
	}
	s := o.Name + "(" + strings.Join(params, ", ") + ")"
	switch {
	case len(results) == 1 && !strings.Contains(results[0], " "):
		s += " " + results[0]
	case len(results) > 0:
		s += " (" + strings.Join(results, ", ") + ")"
	}
	return s
}

// meaning is the role with what arguments and results stand for.
func (o *Operation) meaning() string {
	if o.Op.Role == "" {
		return ""
	}
	var params, results []string
	for _, p := range o.Op.Params {
		params = append(params, string(p))
	}
	for _, r := range o.Op.Results {
		results = append(results, string(r))
	}
	s := string(o.Op.Role)
	if len(params) > 0 {
		s += " " + strings.Join(params, ", ")
	}
	if len(results) > 0 {
		s += " -> " + strings.Join(results, ", ")
	}
	if o.Op.Refusal != oracle.RefuseDefault {
		s += ", may " + string(o.Op.Refusal)
	}
	if o.Op.Spurious {
		s += ", may fail at any time"
	}
	return s
}
