package play

import (
	"math/bits"

	"pangolin/internal/memo"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// Keys by rank in the words of a state, in both forms.

// rankKeys replaces the words of keys, those at the offsets in present, by those of their ranks.
func rankKeys(words []uint64, present uint64) {
	for i, w := range words {
		if at, ok := vm.KeyOffset(w); ok {
			words[i] = vm.Key(RankOf(present, at))
		}
	}
}

// RankOf counts the members of a set that are less than at.
func RankOf(set uint64, at int) int { return bits.OnesCount64(set & (1<<at - 1)) }

func (p *Parts) Keys() uint64 {
	if p.whole {
		return p.Machine.Keys()
	}
	present := uint64(0)
	if p.raw {
		p.eachPiece(func(words []uint64) { present |= parts.KeysIn(words) })
		return present
	}
	present = p.Heap(p.After.Heap).Keys
	for _, t := range p.After.Threads[:p.After.N] {
		present |= p.Thread(t).Keys
	}
	return present
}

// eachPiece gives the words of all pieces in which keys may be.
func (p *Parts) eachPiece(each func(words []uint64)) {
	pieces := p.Pieces()
	each(pieces.Front)
	each(pieces.Heap)
	for i := range pieces.Threads {
		each(pieces.Threads[i].Words[2:])
	}
}

func (p *Parts) Rank(present uint64) (ok bool) {
	switch {
	case p.whole:
		return p.Machine.Rank(present)
	case p.raw:
		ok = p.rankPieces(present)
	default:
		ok = present == 0 || p.rankParts(present)
	}
	return ok
}

// rankPieces: the parts have no room as they are. With their keys ranked they may have been met before.
func (p *Parts) rankPieces(present uint64) bool {
	if present == 0 {
		return false
	}
	p.eachPiece(func(words []uint64) { rankKeys(words, present) })
	ok := p.Number(p.m, &p.After)
	p.ranked.Heap, p.ranked.Threads = p.After.Heap, p.After.Threads
	return ok
}

func (p *Parts) rankParts(present uint64) (ok bool) {
	r := &p.ranked
	if r.Heap, ok = p.rankedPart(r.Heap, false, present); !ok {
		return false
	}
	for i := range r.Threads[:p.After.N] {
		if r.Threads[i], ok = p.rankedPart(r.Threads[i], true, present); !ok {
			return false
		}
	}
	return true
}

// rankedPart is a part with its keys ranked.
func (p *Parts) rankedPart(part uint32, thread bool, present uint64) (uint32, bool) {
	// What a part becomes depends on which keys there are in the whole state, as its keys are ranked among them.
	key := p.ranks.key(part, thread, present)
	if to, known := p.ranks.parts.Get(key); known {
		return to, true
	}
	replace := p.ReplaceHeap
	if thread {
		replace = p.ReplaceThread
	}
	to, ok := replace(part, func(words []uint64) { rankKeys(words, present) })
	if ok {
		p.ranks.parts.Put(key, to)
	}
	return to, ok
}

// rankings are the parts that parts have become when their keys were ranked among those of a state. It is asked
// for each part of every other state, so the sets of keys, of which there are few, have numbers.
type rankings struct {
	sets   map[uint64]uint64
	last   uint64 // the set that was asked for last
	number uint64 // of that set
	parts  memo.Table
}

// key is where the answer about a part is kept.
func (r *rankings) key(part uint32, thread bool, present uint64) uint64 {
	if r.last != present {
		n, known := r.sets[present]
		if !known {
			n = uint64(len(r.sets)) + 1
			r.sets[present] = n
		}
		r.last, r.number = present, n
	}
	key := r.number<<33 | uint64(part)
	if thread {
		key |= 1 << 32
	}
	return key
}
