//pangolin:for runtime

package prelude

//pangolin:model runtime.Breakpoint
func breakpoint() {}
