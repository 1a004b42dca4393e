// SPDX-License-Identifier: BSD-3-Clause

package story_test

import (
	"fmt"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Who waits for whom, as a sentence and not as a drawing.
func ExampleSentence() {
	w := &verdict.Witness{Class: "deadlock", Threads: 1, Account: verdict.Account{Waiting: []verdict.Situation{{Thread: 1, Operation: "Take", Waits: true, For: "channel receive"}}}}
	fmt.Println(story.Sentence(w))
	// Output: a goroutine of thread 1 waits for ever, and nothing is left that could wake anybody
}
