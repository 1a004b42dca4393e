// SPDX-License-Identifier: BSD-3-Clause

package shard_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/shard"
)

// Each collection belongs to exactly one shard, and the most expensive shard costs at most 4/3 of what the best split would (Graham 1969, "Bounds
// on multiprocessing timing anomalies"), which a search through all splits finds.
func TestSplit_GivesEachToOneShardAndBalances(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, count := random.IntN(9), 1+random.IntN(3)
		costs := shard.Costs{}
		var list []shard.Name
		for i := range n {
			name := shard.Name{Package: "m", Collection: fmt.Sprint(i)}
			list, costs[name] = append(list, name), float64(1+random.IntN(100))
		}
		owners := make([]int, n)
		load := make([]float64, count)
		for index := 1; index <= count; index++ {
			for i, mine := range (shard.Shard{Index: index, Count: count}).Of(list, costs) {
				if mine {
					owners[i]++
					load[index-1] += costs[list[i]]
				}
			}
		}
		most := 0.0
		for _, l := range load {
			most = max(most, l)
		}
		for i, n := range owners {
			if n != 1 {
				t.Fatalf("%v belongs to %d shards", list[i], n)
			}
		}
		if best := bestLoad(list, costs, make([]float64, count)); most > best*4/3+0.1 {
			t.Errorf("%v: the most expensive shard costs %v, the best split %v", costs, most, best)
		}
	}
}

// bestLoad is the least cost of the most expensive shard.
func bestLoad(list []shard.Name, costs shard.Costs, load []float64) float64 {
	if len(list) == 0 {
		most := 0.0
		for _, l := range load {
			most = max(most, l)
		}
		return most
	}
	best := 1e9
	for i := range load {
		load[i] += costs[list[0]]
		best = min(best, bestLoad(list[1:], costs, load))
		load[i] -= costs[list[0]]
	}
	return best
}

// Without costs all count the same.
func TestSplit_WithoutCostsIsByNumber(t *testing.T) {
	list := make([]shard.Name, 10)
	load := map[int]int{}
	for _, s := range shard.Split(list, nil, 3) {
		load[s]++
	}
	if load[1] != 4 || load[2] != 3 || load[3] != 3 {
		t.Error(load)
	}
	for _, mine := range (shard.Shard{}).Of(list, nil) {
		if !mine {
			t.Error("the zero shard is not all")
		}
	}
}

func TestParse_TakesIndexAndCount(t *testing.T) {
	for _, text := range []string{"1/1", "2/4", "1000/1000"} {
		if s, err := shard.Parse(text); err != nil || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"0/3", "4/3", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1/1001"} {
		if s, err := shard.Parse(text); err == nil {
			t.Errorf("%s is %v", text, s)
		}
	}
}

// Costs are read from what -json and -record print, and summed over properties.
func TestReadCosts_ReadsBothForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "costs")
	text := `{"type":"verdict","collection":"q.Q","package":"m/q","seconds":1.5}
{"type":"found","collection":{"type":"collection","collection":"q.Q"}}
{"type":"result","position":3,"verdict":{"line":{"collection":"q.Q","package":"m/q","seconds":0.25}}}
{"type":"end"}

{"type":"verdict","collection":"q.R","package":"m/q","seconds":2}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	costs, err := shard.ReadCosts(file)
	if err != nil || len(costs) != 2 || costs[shard.Name{Package: "m/q", Collection: "q.Q"}] != 1.75 || costs[shard.Name{Package: "m/q", Collection: "q.R"}] != 2 {
		t.Errorf("%v, %v", costs, err)
	}
	if err := os.WriteFile(file, []byte("{}\nno\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := shard.ReadCosts(file); err == nil || !strings.Contains(err.Error(), ":2: this is no line of -json or -record") {
		t.Error(err)
	}
}
