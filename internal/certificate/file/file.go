// SPDX-License-Identifier: BSD-3-Clause

// Package file is the container that certificates of all methods share: a head, lines, and an end that counts them.
//
// A file has one JSON object a line:
//
//	{"type":"certificate","head":{"version":3,"method":"cmp","source":{...},"digest":"sha256:...", ...}}
//	{"memory":{...}}
//	{"view":{...}}
//	{"end":{"memory":1,"view":1}}
//
// A method's certificate is a struct. Its field Head is the first line; each other field is a list with one line for
// each element, under the field's name in JSON. The package takes any such struct, and refuses files of other versions and
// methods, members that the struct lacks, and files that were cut. It does not check whether the content makes sense or is true.
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

// Version is the version of the form of all files. Files of versions 1 (cmp) and 2 (unbounded) are refused.
const Version = 3

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

// Write writes the certificate, a pointer to the method's struct.
func Write(w io.Writer, certificate any) error {
	buffered := bufio.NewWriter(w)
	e := json.NewEncoder(buffered)
	e.SetEscapeHTML(false)
	x := reflect.ValueOf(certificate).Elem()
	err := e.Encode(struct {
		Type string `json:"type"`
		Head any    `json:"head"`
	}{mark, x.FieldByName("Head").Interface()})
	names, fields := lists(x)
	counts := map[string]int{}
	for _, name := range names {
		list := fields[name]
		counts[name] = list.Len()
		for i := 0; i < list.Len() && err == nil; i++ {
			err = e.Encode(map[string]any{name: list.Index(i).Interface()})
		}
	}
	if err == nil {
		err = e.Encode(map[string]any{endName: counts})
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
		var line map[string]json.RawMessage
		if err := json.Unmarshal(one, &line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		for name, value := range line {
			list, known := fields[name]
			switch {
			case len(line) > 1 || !known && name != endName:
				return fmt.Errorf("line %d: want one of the members %q or %q, not %q", n, names, endName, name)
			case !known && len(text) > 0:
				return fmt.Errorf("line %d: there are lines after the last one, which counts the others", n)
			case !known:
				return readEnd(value, fields)
			}
			element := reflect.New(list.Type().Elem())
			if err := strictly(value, element.Interface()); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			list.Set(reflect.Append(list, element.Elem()))
		}
	}
	return errors.New("the certificate is incomplete: its last line, which counts the others, is missing")
}

// readHead parses the first line. A wrong version is reported before anything else.
func readHead(text []byte, method string, head any) error {
	var line struct{ Type, Head json.RawMessage }
	var is Head
	if err := strictly(text, &line); err != nil {
		return fmt.Errorf("this is not a certificate: %w", err)
	}
	switch err := json.Unmarshal(line.Head, &is); {
	case string(line.Type) != `"`+mark+`"` || err != nil:
		return errors.New("line 1: the head of a certificate is its first line")
	case is.Version != Version:
		return fmt.Errorf("the certificate has version %d and this program reads version %d: prove it again", is.Version, Version)
	case is.Method != method:
		return fmt.Errorf("the certificate is of the method %q, not %q", is.Method, method)
	}
	return strictly(line.Head, head)
}

// readEnd parses the last line, which is missing if the file was cut.
func readEnd(text []byte, fields map[string]reflect.Value) error {
	counts := map[string]int{}
	err := json.Unmarshal(text, &counts)
	for name, list := range fields {
		if n, there := counts[name]; err == nil && (!there || n != list.Len()) {
			err = fmt.Errorf("it has %d lines %q, and its last line counts %d", list.Len(), name, n)
		}
	}
	if err != nil {
		return fmt.Errorf("the certificate is incomplete: %w", err)
	}
	return nil
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
