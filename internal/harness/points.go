package harness

import (
	"fmt"
	"strings"

	"pangolin/internal/collection"
)

// Announce, with a number of words behind it, is the name of the function that announces so many.
const Announce = "pangolinAnnounce"

// Point is a function of a policy: it is given an operation's arguments and results, as
// values of type any, nil standing for a zero value, and announces them as words. The file
// of Source makes it and keeps it in a variable that the package declares.
type Point struct {
	Var       string
	Operation int
	Own       bool // only results are given
}

// points writes the functions that announce, and sets the variables that hold them.
func (g *generator) points(c *collection.Collection, list []Point) {
	if len(list) == 0 {
		return
	}
	widths := map[int]bool{}
	for i, p := range list {
		n := g.point(&c.Operations[p.Operation], i, p.Own)
		if !widths[n] {
			widths[n] = true
			g.helpers = append(g.helpers, fmt.Sprintf("func %s%d(rule int%s) {}\n", Announce, n, ints("w", n)))
		}
	}
	g.printf("func init() {\n")
	for i, p := range list {
		g.printf("\t%s = pangolinPoint%d\n", p.Var, i)
	}
	g.printf("}\n\n")
}

// point writes one function and gives how many words it announces.
func (g *generator) point(o *collection.Operation, number int, own bool) int {
	var params, words []string
	var body strings.Builder
	args := o.Call.Args
	if own {
		args = nil
	}
	for i, at := range args {
		codec := o.Call.Params[at]
		params = append(params, fmt.Sprintf("p%d", i))
		fmt.Fprintf(&body, "\tvar a%d %s\n\tif p%d != nil {\n\t\ta%d = p%d.(%s)\n\t}\n", i, g.typ(codec.Type), i, i, i, g.typ(codec.Type))
		words = append(words, g.decode(codec, fmt.Sprintf("a%d", i)))
	}
	for i := range o.Results {
		typ := g.typ(o.Results[i].Codec.Type)
		params = append(params, fmt.Sprintf("q%d", i))
		fmt.Fprintf(&body, "\tvar v%d %s\n\tif q%d != nil {\n\t\tv%d = q%d.(%s)\n\t}\n", i, typ, i, i, i, typ)
	}
	g.printf("func pangolinPoint%d(%s) {\n%s", number, anys(params), body.String())
	n := o.Words()
	if n > 0 {
		g.printf("\tvar %s int\n", numbered("r", n))
		g.decodeResults(o.Results)
		words = append(words, strings.Split(numbered("r", n), ", ")...)
	}
	g.printf("\t%s%d(%s)\n}\n\n", Announce, len(words), strings.Join(append([]string{fmt.Sprint(number)}, words...), ", "))
	return len(words)
}

// anys writes parameters of type any.
func anys(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + " any"
}
