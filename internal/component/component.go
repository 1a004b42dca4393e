// SPDX-License-Identifier: BSD-3-Clause

// Package component finds the strongly connected components of a graph while a depth-first
// search goes through it.
//
// It takes what the search does, step by step: a node is discovered, opened, has an edge to a
// node that is known, is closed. It gives each component when its root is about to be closed,
// those that it leads to before it. It holds no graph and makes no search: explore tells it of
// states as they are found, lts of the states of a system that is there already.
//
// Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2),
// 1972. Deviations: nodes are called by the numbers that serve as Tarjan's, those in which they
// are discovered, and low links live on the stack of the search only; so a node that is not on
// it takes one bit, which says that its component is complete, and 4 bytes until it is.
package component

import "unsafe"

// Finder is told of a depth-first search. A search keeps something of its own, a K, for each
// node that is open.
type Finder[K any] struct {
	frames []frame[K]
	nodes  []uint32 // of components that are not complete, increasing
	done   []uint64 // bit set: the node's component is complete
}

// frame is an open node, and what is known of the component from there upwards.
type frame[K any] struct {
	node uint32
	low  uint32 // the lowest node known to be in the component
	base int    // where the node is among the nodes
	kept K
}

// Discover takes a new node. Nodes are 0, 1, 2 and so on, in this order.
func (f *Finder[K]) Discover(node uint32) {
	if int(node/64) == len(f.done) {
		f.done = append(f.done, 0)
	}
}

// Leave makes a node that will not be opened a component of its own.
func (f *Finder[K]) Leave(node uint32) { f.complete(node) }

// Open puts a node that was discovered on the search's stack, and gives its K, which is zero.
func (f *Finder[K]) Open(node uint32) *K {
	f.frames = append(f.frames, frame[K]{node: node, low: node, base: len(f.nodes)})
	f.nodes = append(f.nodes, node)
	return f.Top()
}

// Top is the K of the node on top of the search's stack, nil if no node is open. It holds until a node is opened.
func (f *Finder[K]) Top() *K {
	if len(f.frames) == 0 {
		return nil
	}
	return &f.frames[len(f.frames)-1].kept
}

// Edge takes an edge from the node on top to one that has been discovered before. It stays
// inside the component if that node's is not complete: then it reaches a node below on the stack.
// Otherwise it leads out of the component that the node on top will belong to.
func (f *Finder[K]) Edge(to uint32) (inside bool) {
	if f.Complete(to) {
		return false
	}
	top := &f.frames[len(f.frames)-1]
	top.low = min(top.low, to)
	return true
}

// AtRoot says that the node on top, which has no edge left, is the first of its component.
func (f *Finder[K]) AtRoot() bool {
	top := &f.frames[len(f.frames)-1]
	return top.low == top.node
}

// Members are the nodes of the component of which the node on top is the root, which is their
// first. They hold until it is closed.
func (f *Finder[K]) Members() []uint32 { return f.nodes[f.frames[len(f.frames)-1].base:] }

// Close takes the node on top off the stack. If it was a root, its component is complete. If not,
// the node below is in the same component.
func (f *Finder[K]) Close() {
	last := len(f.frames) - 1
	top := &f.frames[last]
	if top.low == top.node {
		for _, n := range f.nodes[top.base:] {
			f.complete(n)
		}
		f.nodes = f.nodes[:top.base]
	} else {
		below := &f.frames[last-1]
		below.low = min(below.low, top.low)
	}
	f.frames = f.frames[:last]
}

// Complete says that all nodes of a node's component have been found.
func (f *Finder[K]) Complete(node uint32) bool { return f.done[node/64]>>(node%64)&1 != 0 }

func (f *Finder[K]) complete(node uint32) { f.done[node/64] |= 1 << (node % 64) }

// Bytes is the memory that it takes.
func (f *Finder[K]) Bytes() int64 {
	return int64(8*cap(f.done) + 4*cap(f.nodes) + int(unsafe.Sizeof(frame[K]{}))*cap(f.frames))
}
