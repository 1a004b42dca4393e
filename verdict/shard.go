// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Shard says what a run was about, and which part of it (-shard). Runs whose digests are equal are shards of the same request, and can be put
// together.
type Shard struct {
	Type  string `json:"type"` // "shard"
	Index int    `json:"shard"`
	Of    int    `json:"of"`
	Own   int    `json:"own"` // number of those that the run was about
	All   int    `json:"all"` // number of collections, and of what was named and has no verdict of an engine, in all shards
	// Digests of the request, the source, Pangolin, and how the collections were split.
	Request string `json:"request"`
	Sources string `json:"sources"`
	Tool    string `json:"tool"`
	Split   string `json:"split"`
	Schema  int    `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Position announces what the next results are about: the collection with this number, from 0 on, of all in all shards.
type Position int

// End is how a run has ended.
type End struct {
	Type        string `json:"type"`                  // "end"
	Error       string `json:"error,omitempty"`       // what was wrong beside verdicts: exit code 2
	Interrupted bool   `json:"interrupted,omitempty"` // some collections were not verified
	Brief       bool   `json:"brief,omitempty"`       // collections were found by patterns, so that text leaves out executions
}
