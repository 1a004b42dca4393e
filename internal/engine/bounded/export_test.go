package bounded

// SearchTogether lets several workers begin at once, until the test is over.
func SearchTogether(t interface{ Cleanup(func()) }) {
	before := soloStates
	soloStates = 1
	t.Cleanup(func() { soloStates = before })
}
