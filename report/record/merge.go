// SPDX-License-Identifier: BSD-3-Clause

package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Record is what a file holds.
type Record struct {
	Name    string
	Shard   verdict.Shard
	Results []Result
	End     verdict.End
}

// Result is a collection that was found, or a verdict.
type Result struct {
	Position verdict.Position
	Found    *verdict.Collection
	Verdict  *verdict.Verdict
}

// Read reads a record. Name is that of the file, for errors. A record without an end is one of a run that was killed.
func Read(name string, in io.Reader) (*Record, error) {
	r := &Record{Name: name}
	text := bufio.NewReader(in)
	begun, ended := false, false
	for number := 1; ; number++ {
		one, err := text.ReadBytes('\n')
		if err == nil && ended {
			return nil, fmt.Errorf("%s:%d: there is something behind the end", name, number)
		}
		if err == nil {
			var kind string
			kind, err = r.add(one)
			if err == nil && number == 1 && kind != "shard" && kind != "end" {
				err = errors.New("it begins otherwise")
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: this is no record (pangolin verify -record writes one): %w", name, number, err)
			}
			begun, ended = begun || kind == "shard", kind == "end"
			continue
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		if !ended { // half a line is no line
			return nil, fmt.Errorf("%s has no end: the run that wrote it was killed, or is not over; run it again (what it has decided is cached)", name)
		}
		if !begun {
			return nil, fmt.Errorf("%s: nothing was verified: %s", name, r.End.Error)
		}
		return r, nil
	}
}

// add adds a line, and gives its type.
func (r *Record) add(text []byte) (string, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return "", err
	}
	switch l.Type {
	case "shard":
		if r.Shard.Type != "" {
			return "", errors.New("a second shard begins here")
		}
		if err := strict(text, &r.Shard); err != nil {
			return "", err
		}
		if r.Shard.Schema != verdict.Schema {
			return "", fmt.Errorf("it has version %d and this program reads version %d", r.Shard.Schema, verdict.Schema)
		}
	case "end":
		return l.Type, strict(text, &r.End)
	case "found":
		if l.Collection == nil {
			return "", errors.New("a collection is missing")
		}
		r.Results = append(r.Results, Result{Position: l.Position, Found: l.Collection})
	case "result":
		v, err := verdict.Decode(l.Verdict)
		if err != nil {
			return "", err
		}
		r.Results = append(r.Results, Result{Position: l.Position, Verdict: v})
	default:
		return "", fmt.Errorf("%q is no type of a line", l.Type)
	}
	return l.Type, nil
}

// strict decodes a line without unknown fields.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Merge puts the records of all shards of a request together. The order of the records does not matter. It is an error if one is
// missing or there twice, if they are about different requests, sources or versions of Pangolin, or were split differently, and if
// something that was named has no verdict or two shards have judged it.
func Merge(list []*Record) (*Record, error) {
	if len(list) == 0 {
		return nil, errors.New("there is nothing to merge")
	}
	first := list[0]
	by := make([]*Record, first.Shard.Of)
	for _, r := range list {
		if err := first.fits(r); err != nil {
			return nil, err
		}
		i := r.Shard.Index - 1
		if i < 0 || i >= len(by) {
			return nil, fmt.Errorf("%s is shard %d of %d", r.Name, r.Shard.Index, r.Shard.Of)
		}
		if by[i] != nil {
			return nil, fmt.Errorf("%s and %s are both shard %d of %d", by[i].Name, r.Name, i+1, len(by))
		}
		by[i] = r
	}
	var missing []string
	for i, r := range by {
		if r == nil {
			missing = append(missing, fmt.Sprint(i+1))
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("of %d shards these are missing: %s", len(by), strings.Join(missing, ", "))
	}
	return together(by)
}

// fits says whether two records are shards of the same request.
func (r *Record) fits(other *Record) error {
	a, b := &r.Shard, &other.Shard
	for _, c := range []struct {
		same bool
		what string
	}{
		{a.Of == b.Of, fmt.Sprintf("are of %d and of %d shards", a.Of, b.Of)},
		{a.Tool == b.Tool, "were written by different builds of Pangolin"},
		{a.Request == b.Request, "are about different requests: all shards need the same flags and packages"},
		{a.Sources == b.Sources, "are about different sources, or different versions of Go: all shards need the same revision"},
		{a.Split == b.Split && a.All == b.All, "were split differently: all shards need the same -costs and -since"},
	} {
		if !c.same {
			return fmt.Errorf("%s and %s %s", r.Name, other.Name, c.what)
		}
	}
	return nil
}

// together is the record of all shards, which is one of a run without shards.
func together(by []*Record) (*Record, error) {
	whole := &Record{Name: "the merged record", Shard: by[0].Shard}
	whole.Shard.Index, whole.Shard.Of, whole.Shard.Own = 1, 1, whole.Shard.All
	judge := make([]*Record, whole.Shard.All)
	var problems []string
	for _, r := range by {
		for _, one := range r.Results {
			if one.Position < 0 || int(one.Position) >= len(judge) {
				return nil, fmt.Errorf("%s has a result with the number %d, and there are %d", r.Name, one.Position, len(judge))
			}
			if other := judge[one.Position]; other != nil && other != r {
				return nil, fmt.Errorf("%s and %s have both judged number %d", other.Name, r.Name, one.Position)
			}
			if one.Verdict != nil {
				judge[one.Position] = r
			}
		}
		whole.Results = append(whole.Results, r.Results...)
		if e := r.End.Error; e != "" && !slices.Contains(problems, e) {
			problems = append(problems, e)
		}
		whole.End.Interrupted = whole.End.Interrupted || r.End.Interrupted
		whole.End.Brief = r.End.Brief
	}
	if i := slices.Index(judge, nil); i >= 0 {
		return nil, fmt.Errorf("no shard has a verdict on number %d of %d", i, len(judge))
	}
	slices.SortStableFunc(whole.Results, func(a, b Result) int { return int(a.Position - b.Position) })
	whole.End.Error = strings.Join(problems, "\n")
	return whole, nil
}
