// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// encounter is a type whose operations meet in a way that statements drawn at random
// seldom come to: each operation is one of several texts.
type encounter struct {
	name       string
	fields     string
	types      string
	made       string // what the constructor sets
	plain      bool   // its operations have no parameter
	operations [][]string
}

var encounters = []encounter{
	{name: "what is changed under a lock is taken out without", fields: "mu sync.Mutex\np atomic.Pointer[item]\ntaken atomic.Int32\n", types: "type item struct{ q pair }\n\ntype pair struct{ a, b int }\n",
		made: "o.p.Store(&item{})\n", plain: true, operations: [][]string{
			{"o.mu.Lock()\nif n := o.p.Load(); n != nil {\nn.q = pair{v, v + 1}\n}\no.mu.Unlock()", "o.mu.Lock()\ndefer o.mu.Unlock()\nif n := o.p.Load(); n != nil {\nn.q = pair{n.q.b, v}\nr = n.q.a\n}"},
			{"n := o.p.Swap(&item{})\no.taken.Add(1)\nq := n.q\nr = q.a*3 + q.b", "if n := o.p.Swap(nil); n != nil {\no.taken.Store(1)\nq := n.q\nr = q.a*3 + q.b\n}",
				"n := o.p.Swap(&item{})\nq := n.q\nr = q.a*3 + q.b",
				"o.mu.Lock()\nn := o.p.Swap(nil)\no.mu.Unlock()\nif n != nil {\nq := n.q\nr = q.a*3 + q.b\no.p.Store(n)\n}"},
		}},
	{name: "two locks, one after the other", fields: "mu, mv sync.Mutex\nx, y int\n", operations: [][]string{
		{"o.mu.Lock()\no.mv.Lock()\no.x += v\no.y -= v\no.mv.Unlock()\no.mu.Unlock()", "o.mu.Lock()\ndefer o.mu.Unlock()\no.mv.Lock()\ndefer o.mv.Unlock()\no.x, o.y = o.y+v, o.x"},
		{"o.mv.Lock()\no.mu.Lock()\nr = o.x*3 + o.y\no.mu.Unlock()\no.mv.Unlock()", "o.mu.Lock()\no.mv.Lock()\nr = o.x*3 + o.y\no.mu.Unlock()\no.mv.Unlock()",
			"o.mv.Lock()\nr = o.y\no.mu.Lock()\nr += o.x * 3\no.mv.Unlock()\no.mu.Unlock()"},
	}},
	{name: "a read lock that asks again", fields: "rw sync.RWMutex\nx int\n", operations: [][]string{
		{"o.rw.RLock()\nr = o.x\no.rw.RLock()\nr = r*3 + o.x\no.rw.RUnlock()\no.rw.RUnlock()", "o.rw.RLock()\nr = o.x\no.rw.RUnlock()\no.rw.RLock()\nr = r*3 + o.x\no.rw.RUnlock()"},
		{"o.rw.Lock()\no.x += v\no.rw.Unlock()", "o.rw.Lock()\ndefer o.rw.Unlock()\no.x = v\nr = o.x"},
	}},
	{name: "a place in a channel as a lock", fields: "c chan int\nx int\n", made: "o.c = make(chan int, 1)\n", operations: [][]string{
		{"o.c <- v\no.x += v\n<-o.c", "select {\ncase o.c <- v:\no.x++\nr = o.x\n<-o.c\ndefault:\nr = -1\n}", "o.c <- 1\no.x++\nr = <-o.c"},
		{"o.c <- v\nr = o.x\n<-o.c", "if len(o.c) == 0 {\no.c <- v\nr = o.x\n<-o.c\n}", "o.c <- v\nr = o.x\no.c = make(chan int, 1)"},
	}},
}

// Encounter writes a type of one of the encounters.
func Encounter(seed uint64) Collection {
	rng := rand.New(rand.NewPCG(seed, 0x656e636f756e7465))
	return encounters[rng.IntN(len(encounters))].write(seed, rng)
}

func (e *encounter) write(seed uint64, rng *rand.Rand) Collection {
	c := Collection{Kind: "object"}
	var methods []string
	for i, texts := range e.operations {
		op, params, first := Operation{Name: string("ABC"[i]) + "op"}, "", "r, v := 1, 2\n_ = v"
		if !e.plain {
			op.Params, params, first = 1, "v int", "r := v"
		}
		c.Ops = append(c.Ops, op)
		methods = append(methods, fmt.Sprintf("func (o *T) %s(%s) int {\n%s\n%s\nreturn r\n}\n", op.Name, params, first, texts[rng.IntN(len(texts))]))
	}
	types := e.types
	if body := strings.Join(methods, "\n"); types == "" && len(e.fields) > 0 {
		types = freeOnes(e.fields + body)
	}
	text := types + c.directives() + "type T struct {\n" + e.fields + "}\n\nfunc New() *T {\no := &T{}\n" + e.made + "return o\n}\n\n" + strings.Join(methods, "\n")
	c.Source = formatSource(fmt.Sprintf("// encounter %d: %s\npackage types\n\n", seed, e.name) + imports(text) + text)
	return c
}
