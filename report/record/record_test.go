// SPDX-License-Identifier: BSD-3-Clause

package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pangolin/report/record"
	"pangolin/verdict"
)

// shards writes the records of a request about so many collections, split by a function, and reads them.
func shards(t *testing.T, all, of int, owner func(i int) int, change func(i int, s *verdict.Shard)) (list []*record.Record, texts []string) {
	t.Helper()
	for index := 1; index <= of; index++ {
		var b bytes.Buffer
		f := record.New(&b)
		about := verdict.Shard{Index: index, Of: of, All: all, Request: "r", Sources: "s", Tool: "t", Split: "p"}
		if change != nil {
			change(index, &about)
		}
		show := func(what any) {
			if err := f.Show(what); err != nil {
				t.Fatal(err)
			}
		}
		show(about)
		for i := range all {
			if owner(i) == index {
				show(verdict.Position(i))
				show(verdict.Found{Collection: verdict.Collection{Name: fmt.Sprint("c", i)}})
			}
		}
		for i := range all {
			if owner(i) == index {
				for _, property := range []string{"linear", "sc"} {
					show(verdict.Position(i))
					show(verdict.Verdict{Subject: verdict.Subject{Collection: fmt.Sprint("c", i), Property: property}, Status: verdict.Verified, LeftOut: []verdict.LeftOut{}, Assumptions: []string{}})
				}
			}
		}
		show(verdict.End{Brief: true})
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := record.Read(fmt.Sprint(index, ".record"), bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		list, texts = append(list, r), append(texts, b.String())
	}
	return list, texts
}

// However a request is split, and in whatever order the records are given, together they are the record of one run.
func TestMerge_IsOneRun(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		all, of := random.IntN(8), 1+random.IntN(4)
		owners := make([]int, all)
		for i := range owners {
			owners[i] = 1 + random.IntN(of)
		}
		one, _ := shards(t, all, 1, func(int) int { return 1 }, nil)
		list, _ := shards(t, all, of, func(i int) int { return owners[i] }, nil)
		random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		got, err := record.Merge(list)
		if err != nil {
			t.Fatal(err)
		}
		want, err := record.Merge(one)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(verdicts(got), verdicts(want)) || !got.End.Brief {
			t.Errorf("%v of %d: %v, want %v", owners, of, verdicts(got), verdicts(want))
		}
	}
}

// verdicts are the results in order, those found first.
func verdicts(r *record.Record) []string {
	var found, list []string
	for _, one := range r.Results {
		if one.Found != nil {
			found = append(found, one.Found.Name)
		} else {
			list = append(list, one.Verdict.Collection+" "+one.Verdict.Property)
		}
	}
	return append(found, list...)
}

func TestMerge_RefusesWhatDoesNotFit(t *testing.T) {
	third := func(i int) int { return i%3 + 1 }
	plain, _ := shards(t, 6, 3, third, nil)
	second := func(change func(*verdict.Shard)) []*record.Record {
		list, _ := shards(t, 6, 3, third, func(i int, s *verdict.Shard) {
			if i == 2 {
				change(s)
			}
		})
		return list
	}
	stolen, _ := shards(t, 6, 3, func(i int) int { return min(i%3+1, 2) }, nil)
	for _, c := range []struct {
		what string
		list []*record.Record
		want string
	}{
		{"nothing", nil, "there is nothing to merge"},
		{"one is missing", plain[:2], "of 3 shards these are missing: 3"},
		{"two are missing", plain[1:2], "of 3 shards these are missing: 1, 3"},
		{"one is there twice", append(plain[:3:3], plain[1]), "2.record and 2.record are both shard 2 of 3"},
		{"another request", second(func(s *verdict.Shard) { s.Request = "x" }), "about different requests"},
		{"other sources", second(func(s *verdict.Shard) { s.Sources = "x" }), "about different sources"},
		{"another tool", second(func(s *verdict.Shard) { s.Tool = "x" }), "different builds"},
		{"another split", second(func(s *verdict.Shard) { s.Split = "x" }), "split differently"},
		{"another number", second(func(s *verdict.Shard) { s.Of = 4 }), "are of 3 and of 4 shards"},
		{"an index beyond", second(func(s *verdict.Shard) { s.Index = 5 }), "is shard 5 of 3"},
		{"a result of another one", []*record.Record{plain[0], stolen[1], plain[2]}, "have both judged number 2"},
		{"a result is missing", []*record.Record{plain[0], plain[1], stolen[2]}, "no shard has a verdict on number 2 of 6"},
	} {
		if _, err := record.Merge(c.list); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// A record that was cut off anywhere is none.
func TestRead_RefusesARecordWithoutItsEnd(t *testing.T) {
	_, texts := shards(t, 2, 1, func(int) int { return 1 }, nil)
	for n := range len(texts[0]) {
		if _, err := record.Read("x", strings.NewReader(texts[0][:n])); err == nil {
			t.Fatalf("the first %d bytes of %d are a record", n, len(texts[0]))
		}
	}
	for _, text := range []string{"", "{}\n", "{\"type\":\"verdict\"}\n", texts[0] + texts[0], texts[0] + "x\n", `{"type":"end","error":"nobody knows m"}` + "\n"} {
		if _, err := record.Read("x", strings.NewReader(text)); err == nil {
			t.Errorf("%.60q is a record", text)
		} else if !strings.HasPrefix(err.Error(), "x") {
			t.Error(err)
		}
	}
}
