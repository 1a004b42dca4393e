// SPDX-License-Identifier: BSD-3-Clause

// Package shard splits a list of collections between machines. The same list, the same costs and
// the same number of shards give the same split on each of them, so that together they leave
// nothing out and do nothing twice.
//
//	s, err := shard.Parse("2/4")              the second of four
//	costs, err := shard.ReadCosts(file)       what an earlier run took
//	mine := s.Of(names, costs)                whether each is one of its own
//
// What a machine's own store knows is no part of it: stores differ, and then two machines would
// split differently. Costs come from a file that all are given. The package knows nothing of
// requests, and reads results only as far as costs need it.
package shard

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Shard is one of several parts: Index is 1 to Count. The zero value is everything.
type Shard struct{ Index, Count int }

// most is the greatest number of shards.
const most = 1000

// Parse reads "2/4", the second of four shards; "" is all.
func Parse(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	index, count, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, failed := strconv.Atoi(count)
	if err != nil || failed != nil || i < 1 || n < i || n > most {
		return Shard{}, fmt.Errorf("%q is no shard: 2/4 is the second of four, and there are %d at most", text, most)
	}
	return Shard{i, n}, nil
}

// All reports whether it is everything.
func (s Shard) All() bool { return s.Count <= 1 }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Name is a collection.
type Name struct{ Package, Collection string }

// Costs are the seconds that collections took; nil: nothing is known.
type Costs map[Name]float64

// outcome is the part of a verdict that tells its cost.
type outcome struct {
	Package    string  `json:"package"`
	Collection string  `json:"collection"`
	Seconds    float64 `json:"seconds"`
}

// ReadCosts reads the costs of an earlier run: a file that -json or -record has written.
func ReadCosts(name string) (Costs, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	costs := Costs{}
	in := bufio.NewReader(f)
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if failed := costs.add(text); failed != nil {
				return nil, fmt.Errorf("%s:%d: this is no line of -json or -record: %w", name, number, failed)
			}
		}
		if errors.Is(err, io.EOF) {
			return costs, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// add adds the cost in a line of JSON, if there is one.
func (c Costs) add(text []byte) error {
	var line struct{ Type string }
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	var o outcome
	var err error
	switch line.Type {
	case "verdict": // a line of -json
		err = json.Unmarshal(text, &o)
	case "result": // a line of -record
		var r struct{ Verdict struct{ Line outcome } }
		err = json.Unmarshal(text, &r)
		o = r.Verdict.Line
	default:
		return nil
	}
	if err != nil {
		return err
	}
	c[Name{o.Package, o.Collection}] += o.Seconds
	return nil
}

// Of tells of each collection whether it belongs to the shard. The most expensive ones are dealt
// first, each to the shard with the least to do. A collection without a known cost counts as the
// average of the others.
func (s Shard) Of(list []Name, costs Costs) []bool {
	mine := make([]bool, len(list))
	for i, shard := range Split(list, costs, max(s.Count, 1)) {
		mine[i] = s.All() || shard == s.Index
	}
	return mine
}

// Split tells of each collection its shard: 1 to count.
func Split(list []Name, costs Costs, count int) []int {
	cost, usual := make([]float64, len(list)), usualCost(list, costs)
	order := make([]int, len(list))
	for i, name := range list {
		known, ok := costs[name]
		if !ok {
			known = usual
		}
		cost[i], order[i] = max(known, usual/1000, leastCost), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cost[b], cost[a]) })
	load, out := make([]float64, count), make([]int, len(list))
	for _, i := range order {
		shard := 0
		for k := range load {
			if load[k] < load[shard] {
				shard = k
			}
		}
		load[shard] += cost[i]
		out[i] = shard + 1
	}
	return out
}

// leastCost is what a collection costs at least, in seconds: those that cost nothing are spread as
// well.
const leastCost = 1e-3

// usualCost is the mean of the known costs in a list, summed in its order.
func usualCost(list []Name, costs Costs) float64 {
	sum, n := 0.0, 0
	for _, name := range list {
		if known, ok := costs[name]; ok {
			sum, n = sum+known, n+1
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}
