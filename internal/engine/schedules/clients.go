// SPDX-License-Identifier: BSD-3-Clause

package schedules

import (
	"fmt"
	"math/rand/v2"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/native"
	"pangolin/verdict"
)

// mostListed is how many clients of a space are listed in order to choose among them; those of a larger one are drawn.
const mostListed = 20_000

// mostDraws is how many draws in sequence may give no client that is new.
const mostDraws = 2_000

// drawClients chooses up to n different clients.
func drawClients(space *client.Space, seed uint64, n int) []client.Client {
	rng := rand.New(rand.NewPCG(seed, 0x5c4ed))
	var list []client.Client
	if all := space.Count(); all != nil && all.IsInt64() && all.Int64() <= mostListed {
		for c := range space.All() {
			list = append(list, c)
		}
		rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		return list[:min(n, len(list))]
	}
	known := map[string]bool{}
	for vain := 0; len(list) < n && vain < mostDraws; vain++ {
		c, ok := space.Draw(rng.IntN)
		if key := fmt.Sprint(c); ok && !known[key] {
			known[key], vain = true, 0
			list = append(list, c)
		}
	}
	return list
}

// mostAloneClients is how many clients of one thread are executed, before all others and whatever the scope: what is wrong there needs no
// schedule, and says that the collection is not what it was taken for.
const mostAloneClients = 150

// aloneClients chooses clients of one thread.
func (s *search) aloneClients(seed uint64, n int) ([]client.Client, error) {
	scope := s.space.Scope
	scope.Threads = client.Range{From: 1, To: 1}
	one, err := client.NewSpace(scope, s.job.OneThread().Subject.ClientOps())
	if err != nil {
		return nil, err
	}
	return drawClients(one, seed, min(mostAloneClients, n)), nil
}

// clientOf is a client in the terms of package native.
func clientOf(c client.Client) native.Client {
	out := native.Client{Pre: callsOf(c.Pre), Threads: [][]native.Call{}}
	for _, steps := range c.Threads {
		out.Threads = append(out.Threads, callsOf(steps))
	}
	return out
}

func callsOf(steps []client.Step) []native.Call {
	list := []native.Call{}
	for _, s := range steps {
		list = append(list, native.Call{Op: s.Op, Args: argsOf(s.Args)})
	}
	return list
}

func argsOf(args history.Tuple) []int64 {
	list := []int64{}
	for i := range args.Len() {
		list = append(list, args.At(i).Int)
	}
	return list
}

// written is a client in the terms of a witness.
func written(steps []client.Step) []verdict.Call {
	list := []verdict.Call{}
	for _, s := range steps {
		list = append(list, verdict.Call{Op: s.Op, Args: argsOf(s.Args)})
	}
	return list
}

// read is the client of a witness.
func read(w *verdict.Witness) client.Client {
	steps := func(calls []verdict.Call) (list []client.Step) {
		for _, c := range calls {
			list = append(list, client.Step{Op: c.Op, Args: history.Ints(c.Args...)})
		}
		return list
	}
	c := client.Client{Pre: steps(w.Schedule.PreAdds)}
	for _, calls := range w.Schedule.Compiled.Threads {
		c.Threads = append(c.Threads, steps(calls))
	}
	return c
}
