// SPDX-License-Identifier: BSD-3-Clause

// Package file is the container that certificates of all methods share: a head, lines, and an end that counts them.
//
// A file has one JSON object a line:
//
//	{"type":"certificate","head":{"version":3,"method":"cmp","source":{...},"digest":"sha256:...", ...}}
//	{"memory":{...}}
//	{"view":{...}}
//	{"end":{"head":"sha256:...","lines":{"memory":1,"view":1}}}
//
// A method's certificate is a struct. Its field Head is the first line; each other field is a list with one line for
// each element, under the field's name in JSON. The end has the digest of the first line, so that a head which was edited is noticed (by
// nobody who edits both: it is no signature). The package takes any such struct. A certificate has one form: a line that is not as Write
// would write it, with a member twice, an unknown one, null, or other spaces, is refused, as are files of other versions and methods
// and files that were cut. It does not check whether the content makes sense or is true.
package file

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Version is the version of the form of all files. Older ones are refused: of versions 1 (cmp) and 2 (unbounded), and 3, without the digest of
// the head.
const Version = 4

// mark is the type of the first line.
const mark = "certificate"

// Head is the common part of the heads of all methods.
type Head struct {
	Version int            `json:"version"`
	Method  string         `json:"method"` // the name of the engine that proves and checks
	Source  verdict.Source `json:"source"` // how the collection is loaded
	Digest  string         `json:"digest"` // a hash of the compiled program
}

// NewHead makes the head of a new certificate.
func NewHead(method string, source verdict.Source, p *ir.Program) Head {
	return Head{Version: Version, Method: method, Source: source, Digest: digest(p)}
}

// Is returns a *Rejection if the certificate is about other code than the program, the compiled one of the collection.
func (h *Head) Is(p *ir.Program, collection string) error {
	if h.Digest != digest(p) {
		return &Rejection{What: fmt.Sprintf("the code of %s has changed since the certificate was written: prove it again", collection)}
	}
	return nil
}

// digest is a hash of a program's types and code.
func digest(p *ir.Program) string {
	h := sha256.New()
	for _, t := range p.Types {
		if t == nil {
			continue
		}
		fmt.Fprintf(h, "type %d %s %d", t.ID, t.Name, t.Size)
		for _, f := range t.Fields {
			fmt.Fprintf(h, " %s:%d:%d", f.Name, f.Type.ID, f.Offset)
		}
		fmt.Fprintln(h)
	}
	p.Print(h)
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// Rejection is the error of a certificate that does not hold. Other errors say why it cannot be checked.
type Rejection struct {
	What  string // the reason
	Where string // "file.go:12", or ""
}

func (r *Rejection) Error() string {
	if r.Where == "" {
		return r.What
	}
	return r.What + ", at " + r.Where
}

// Conclude sets out.Holds and out.Reason by the error of the check; errors other than a *Rejection are returned.
func Conclude(out *verdict.Checked, err error) (*verdict.Checked, error) {
	if r := (*Rejection)(nil); errors.As(err, &r) {
		out.Reason, err = r.Error(), nil
	} else {
		out.Holds = err == nil
	}
	return out, err
}

// headName and endName are the members of the first and the last line.
const (
	headName = "head"
	endName  = "end"
)

// lists returns the fields of a certificate that are lists, by their names in JSON, and the names in the order of the struct.
func lists(certificate reflect.Value) (names []string, fields map[string]reflect.Value) {
	fields = map[string]reflect.Value{}
	for i := range certificate.NumField() {
		if name := certificate.Type().Field(i).Tag.Get("json"); name != headName {
			names = append(names, name)
			fields[name] = certificate.Field(i)
		}
	}
	return names, fields
}

// end is the last line.
type end struct {
	Head  string         `json:"head"`  // digest of the first line
	Lines map[string]int `json:"lines"` // how many there are of each sort
}

// line is the text of a line, with its newline.
func line(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return b.Bytes(), err
}

// headLine is the value of the first line.
type headLine struct {
	Type string `json:"type"`
	Head any    `json:"head"`
}

// sum is the digest of a line without its newline.
func sum(line []byte) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.TrimSuffix(line, []byte("\n"))))
}

// Write writes the certificate, a pointer to the method's struct.
func Write(w io.Writer, certificate any) error {
	x := reflect.ValueOf(certificate).Elem()
	first, err := line(headLine{mark, x.FieldByName("Head").Interface()})
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	_, err = buffered.Write(first)
	names, fields := lists(x)
	last := end{sum(first), map[string]int{}}
	e := json.NewEncoder(buffered)
	e.SetEscapeHTML(false)
	for _, name := range names {
		list := fields[name]
		last.Lines[name] = list.Len()
		for i := 0; i < list.Len() && err == nil; i++ {
			err = e.Encode(map[string]any{name: list.Index(i).Interface()})
		}
	}
	if err == nil {
		err = e.Encode(map[string]any{endName: last})
	}
	return errors.Join(err, buffered.Flush())
}

// Read parses a certificate of a method into the struct to which certificate points.
func Read(text []byte, method string, certificate any) error {
	x := reflect.ValueOf(certificate).Elem()
	names, fields := lists(x)
	first, text, _ := bytes.Cut(text, []byte("\n"))
	if err := readHead(first, method, x.FieldByName("Head").Addr().Interface()); err != nil {
		return err
	}
	for n := 2; len(text) > 0; n++ {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte("\n"))
		var members map[string]json.RawMessage
		if err := json.Unmarshal(one, &members); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		for name, value := range members {
			list, known := fields[name]
			switch {
			case len(members) > 1 || !known && name != endName:
				return fmt.Errorf("line %d: want one of the members %q or %q, not %q", n, names, endName, name)
			case !known && len(text) > 0:
				return fmt.Errorf("line %d: there are lines after the last one, which counts the others", n)
			case !known:
				return readEnd(one, value, sum(first), fields)
			}
			element := reflect.New(list.Type().Elem())
			if err := strictly(value, element.Interface()); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			if err := as(one, map[string]any{name: element.Elem().Interface()}); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			list.Set(reflect.Append(list, element.Elem()))
		}
	}
	return errors.New("the certificate is incomplete: its last line, which counts the others, is missing")
}

// as returns an error unless a line of a file, without its newline, is the text of the value that was read from it.
func as(text []byte, value any) error {
	want, err := line(value)
	if err != nil {
		return err
	}
	if !bytes.Equal(text, bytes.TrimSuffix(want, []byte("\n"))) {
		return errors.New("it is not in the form in which certificates are written: a member occurs twice, or is null, or there are other spaces")
	}
	return nil
}

// readHead parses the first line. A wrong version is reported before anything else.
func readHead(text []byte, method string, head any) error {
	var first struct{ Type, Head json.RawMessage }
	var is Head
	if err := strictly(text, &first); err != nil {
		return fmt.Errorf("this is not a certificate: %w", err)
	}
	switch err := json.Unmarshal(first.Head, &is); {
	case string(first.Type) != `"`+mark+`"` || err != nil:
		return errors.New("line 1: the head of a certificate is its first line")
	case is.Version != Version:
		return fmt.Errorf("the certificate has version %d and this program reads version %d: prove it again", is.Version, Version)
	case is.Method != method:
		return fmt.Errorf("the certificate is of the method %q, not %q", is.Method, method)
	}
	if err := strictly(first.Head, head); err != nil {
		return err
	}
	if err := as(text, headLine{mark, head}); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}

// readEnd parses the last line, which is missing if the file was cut. head is the digest of the first line.
func readEnd(text, value []byte, head string, fields map[string]reflect.Value) error {
	var last end
	err := strictly(value, &last)
	for name, list := range fields {
		if n, there := last.Lines[name]; err == nil && (!there || n != list.Len()) {
			err = fmt.Errorf("it has %d lines %q, and its last line counts %d", list.Len(), name, n)
		}
	}
	if err != nil {
		return fmt.Errorf("the certificate is incomplete: %w", err)
	}
	if last.Head != head {
		return errors.New("the head of the certificate was edited: its first line is not the one that its last line has the digest of")
	}
	return as(text, map[string]any{endName: last})
}

// strictly parses one JSON value without unknown members.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is more than one object")
	}
	return nil
}
