// SPDX-License-Identifier: BSD-3-Clause

// Package component finds the strongly connected components of a graph during a depth-first search.
//
// Its caller makes the search and reports it step by step: a node is discovered, opened, has an edge to a node that was discovered
// before, is closed. A component is known when its root is about to be closed, and all components that can be reached from it are known
// before it. The package stores no graph. explore uses it for states as they are found, lts for the states of a finished system.
//
// Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2), 1972. Deviations: a node's number is its
// number in the order of discovery, and low links are stored only for nodes on the stack of the search. So a node whose component is
// complete takes one bit, and 4 bytes more until then.
package component

import "unsafe"

// Finder follows a depth-first search. For each open node it stores a K for the search.
type Finder[K any] struct {
	frames []frame[K]
	nodes  []uint32 // of components that are not complete, increasing
	done   []uint64 // a bit for each node: its component is complete
}

// frame is an open node on the stack of the search.
type frame[K any] struct {
	node uint32
	low  uint32 // the lowest node known to be in the component
	base int    // index of the node in Finder.nodes
	kept K
}

// Discover adds a new node. Nodes must be 0, 1, 2 and so on, in this order.
func (f *Finder[K]) Discover(node uint32) {
	if int(node/64) == len(f.done) {
		f.done = append(f.done, 0)
	}
}

// Leave makes a node that will not be opened a component of its own.
func (f *Finder[K]) Leave(node uint32) { f.complete(node) }

// Open pushes a discovered node on the stack, and returns its K, which is the zero value.
func (f *Finder[K]) Open(node uint32) *K {
	f.frames = append(f.frames, frame[K]{node: node, low: node, base: len(f.nodes)})
	f.nodes = append(f.nodes, node)
	return f.Top()
}

// Top is the K of the node on top of the stack; nil if no node is open. The pointer is valid until the next node is opened.
func (f *Finder[K]) Top() *K {
	if len(f.frames) == 0 {
		return nil
	}
	return &f.frames[len(f.frames)-1].kept
}

// Edge adds an edge from the node on top to one that was discovered before. It returns whether that node's component is incomplete:
// then both nodes are in one component, because the node is on the stack or can reach a node that is.
func (f *Finder[K]) Edge(to uint32) (inside bool) {
	if f.Complete(to) {
		return false
	}
	top := &f.frames[len(f.frames)-1]
	top.low = min(top.low, to)
	return true
}

// AtRoot reports whether the node on top, all of whose edges were added, is the first node of its component.
func (f *Finder[K]) AtRoot() bool {
	top := &f.frames[len(f.frames)-1]
	return top.low == top.node
}

// Members lists the nodes of the component whose root is the node on top, which comes first. The slice is valid until the
// node is closed.
func (f *Finder[K]) Members() []uint32 { return f.nodes[f.frames[len(f.frames)-1].base:] }

// Close pops the node on top. If it was a root, its component is complete; otherwise the node below is in the same
// component.
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

// Complete reports whether all nodes of a node's component have been found.
func (f *Finder[K]) Complete(node uint32) bool { return f.done[node/64]>>(node%64)&1 != 0 }

func (f *Finder[K]) complete(node uint32) { f.done[node/64] |= 1 << (node % 64) }

// Bytes is the memory that the Finder takes, in bytes.
func (f *Finder[K]) Bytes() int64 {
	return int64(8*cap(f.done) + 4*cap(f.nodes) + int(unsafe.Sizeof(frame[K]{}))*cap(f.frames))
}
