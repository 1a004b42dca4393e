// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"

	"pangolin/oracle"
)

// naming lists the method names of a role, folded and without "try". Earlier entries
// come first in the list of operations.
type naming struct {
	role  oracle.Role
	names []string
}

// known is a kind that is recognised by the names of methods.
type known struct {
	kind     oracle.Kind
	names    func() []naming
	complete func(r *reader, bindings []*binding) bool // enough methods are there, with the right shape where names are ambiguous
}

// kinds are those that are recognised, in the order in which they are tried. A deque is
// recognised by the ends that names speak of.
func kinds() []known {
	return []known{
		{oracle.Deque, nil, nil},
		{oracle.PQueue, pqueueNames, (*reader).completePQueue},
		{oracle.Map, mapNames, (*reader).completeMap},
		{oracle.Set, setNames, (*reader).completeSet},
		{oracle.Queue, queueNames, (*reader).completeQueue},
		{oracle.Stack, queueNames, (*reader).completeStack},
		{oracle.Register, cellNames, (*reader).completeRegister},
		{oracle.Counter, cellNames, (*reader).completeCounter},
	}
}

// knownKinds are these kinds by name, for messages.
func knownKinds() (list []oracle.Kind) {
	for _, k := range kinds() {
		list = append(list, k.kind)
	}
	slices.Sort(list)
	return list
}

func containerNames() []naming {
	return []naming{
		{oracle.Len, []string{"len", "length", "size", "count"}},
		{oracle.IsEmpty, []string{"isempty", "empty"}},
		{oracle.Clear, []string{"clear", "removeall", "purge", "reset"}},
	}
}

func setNames() []naming {
	return append([]naming{
		{oracle.Add, []string{"add", "insert", "put", "store"}},
		{oracle.Remove, []string{"remove", "delete", "del", "erase", "discard"}},
		{oracle.Contains, []string{"contains", "has", "exists", "member", "ismember", "includes", "find", "lookup", "search", "test"}},
	}, containerNames()...)
}

func mapNames() []naming {
	return append([]naming{
		{oracle.Load, []string{"load", "get", "lookup", "find", "read"}},
		{oracle.Store, []string{"store", "set", "put", "write", "upsert", "insert", "add"}},
		{oracle.LoadOrStore, []string{"loadorstore", "getorset", "getorinsert", "getorput", "getoradd", "getorstore",
			"putifabsent", "setifabsent", "storeifabsent", "addifabsent", "insertifabsent"}},
		{oracle.LoadAndDelete, []string{"loadanddelete", "getanddelete", "getandremove", "pop", "take"}},
		{oracle.Delete, []string{"delete", "remove", "del", "erase", "unset"}},
		{oracle.Swap, []string{"swap", "exchange", "getandset", "getandput"}},
		{oracle.CompareAndSwap, []string{"compareandswap", "compareandset", "cas", "replaceif"}},
		{oracle.CompareAndDelete, []string{"compareanddelete", "deleteif", "removeif"}},
		{oracle.Contains, []string{"contains", "has", "exists", "containskey", "haskey"}},
	}, containerNames()...)
}

// queueNames also serve stacks, where Peek has more names.
func queueNames() []naming {
	return append([]naming{
		{oracle.Put, []string{"enqueue", "enq", "push", "put", "offer", "add", "send", "append", "insert", "produce", "write"}},
		{oracle.Take, []string{"dequeue", "deq", "pop", "take", "poll", "get", "receive", "recv", "remove", "consume", "read"}},
		{oracle.Peek, []string{"peek", "front", "head", "first", "top"}},
	}, containerNames()...)
}

// fifoNames say by themselves that a collection is a queue.
func fifoNames() []string { return []string{"enqueue", "enq", "dequeue", "deq"} }

func pqueueNames() []naming {
	return append([]naming{
		{oracle.Put, []string{"add", "insert", "push", "enqueue", "put", "offer"}},
		{oracle.Take, append(slices.Concat(minNames(), maxNames()), "pop", "dequeue", "remove", "take", "poll")},
		{oracle.Peek, []string{"min", "peekmin", "findmin", "getmin", "max", "peekmax", "findmax", "getmax", "peek", "top"}},
	}, containerNames()...)
}

// minNames say by themselves that a collection is a priority queue.
func minNames() []string {
	return []string{"removemin", "deletemin", "extractmin", "popmin", "dequeuemin", "takemin", "pollmin", "delmin"}
}

// maxNames say so of one that gives the largest first.
func maxNames() []string {
	return []string{"removemax", "deletemax", "extractmax", "popmax", "dequeuemax", "takemax", "pollmax", "delmax"}
}

func cellNames() []naming {
	return []naming{
		{oracle.Load, []string{"load", "get", "read", "value", "val", "count", "sum", "total", "current"}},
		{oracle.Store, []string{"store", "set", "write"}},
		{oracle.Swap, []string{"swap", "exchange", "getandset"}},
		{oracle.CompareAndSwap, []string{"compareandswap", "compareandset", "cas"}},
		{oracle.Inc, []string{"inc", "incr", "increment", "getandincrement", "getandinc", "incrementandget", "incandget"}},
		{oracle.Dec, []string{"dec", "decr", "decrement", "getanddecrement", "getanddec", "decrementandget", "decandget"}},
		{oracle.AddTo, []string{"add", "inc", "incr", "increment", "getandadd", "fetchandadd", "fetchadd", "addandget", "addandfetch"}},
		{oracle.SubOf, []string{"sub", "subtract", "dec", "decr", "decrement", "getandsub", "fetchandsub", "subandget"}},
		{oracle.Toggle, []string{"toggle", "flip"}},
		{oracle.And, []string{"and"}},
		{oracle.Or, []string{"or"}},
	}
}

// namesOf are the names that a kind goes by; a deque's are found by end (below).
func namesOf(kind oracle.Kind) []naming {
	for _, k := range kinds() {
		if k.kind == kind && k.names != nil {
			return k.names()
		}
	}
	return nil
}

// end splits the name of an operation on one end of a collection, PushFront or
// TakeLast; a missing verb means to look.
func end(name string) (verb oracle.Role, front, ok bool) {
	ends := []struct {
		word  string
		front bool
	}{
		{"front", true}, {"left", true}, {"head", true}, {"top", true}, {"first", true},
		{"back", false}, {"right", false}, {"tail", false}, {"bottom", false}, {"last", false},
	}
	rest, _ := untried(name)
	for _, e := range ends {
		verb, found := strings.CutSuffix(rest, e.word)
		if !found {
			continue
		}
		switch {
		case slices.Contains([]string{"push", "put", "add", "append", "insert", "enqueue", "offer"}, verb):
			return oracle.Put, e.front, true
		case slices.Contains([]string{"pop", "take", "remove", "delete", "dequeue", "poll", "steal", "extract"}, verb):
			return oracle.Take, e.front, true
		case slices.Contains([]string{"peek", "get", "look", ""}, verb):
			return oracle.Peek, e.front, true
		}
	}
	return "", false, false
}

// endRole is the deque's role for a verb at an end.
func endRole(verb oracle.Role, front bool) oracle.Role {
	roles := map[oracle.Role][2]oracle.Role{
		oracle.Put:  {oracle.PutBack, oracle.PutFront},
		oracle.Take: {oracle.TakeBack, oracle.TakeFront},
		oracle.Peek: {oracle.PeekBack, oracle.PeekFront},
	}
	if front {
		return roles[verb][1]
	}
	return roles[verb][0]
}
