// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/vm/parts"
)

// Keys by rank in the words of a state, in both forms.

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

// eachPiece calls each with the words of all pieces that may contain keys.
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

// rankPieces ranks the keys of parts for which the store had no room. With ranked keys they may equal parts that it has.
func (p *Parts) rankPieces(present uint64) bool {
	if present == 0 {
		return false
	}
	p.eachPiece(func(words []uint64) { parts.RankKeys(words, present) })
	ok := p.Number(p.m, &p.After)
	p.ranked.Heap, p.ranked.Threads = p.After.Heap, p.After.Threads
	return ok
}

func (p *Parts) rankParts(present uint64) (ok bool) {
	r := &p.ranked
	if r.Heap, ok = p.Ranked(r.Heap, false, present); !ok {
		return false
	}
	for i := range r.Threads[:p.After.N] {
		if r.Threads[i], ok = p.Ranked(r.Threads[i], true, present); !ok {
			return false
		}
	}
	return true
}
