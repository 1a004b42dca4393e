package pangolin

import (
	"errors"
	"fmt"
	"strings"
)

// directed is the request as the directives in a type's comment want it, lines such as
// "new NewQueue[int](2)". What the user asks for wins.
func (r *Request) directed(lines []string) (*Request, error) {
	d := *r
	for _, line := range lines {
		name, value, _ := strings.Cut(line, " ")
		if err := d.direct(r, name, strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("//pangolin:%s: %w", line, err)
		}
	}
	return &d, nil
}

// direct follows one directive, unless the user's request r says otherwise.
func (d *Request) direct(r *Request, name, value string) (err error) {
	switch name {
	case "new":
		setDefault(&d.New, value)
	case "kind":
		setDefault(&d.Kind, value)
	case "oracle":
		setDefault(&d.Oracle, value)
	case "property":
		setDefault(&d.Property, value)
		_, err = d.properties()
	case "roles":
		setDefault(&d.Roles, value)
	case "config":
		if r.Scope == (Scope{}) {
			d.Scope.Config = value
		}
	case "ops":
		if len(d.Ops) == 0 {
			d.Ops = strings.Split(value, ",")
		}
	case "protocol":
		setDefault(&d.Protocol, value)
		_, err = parseProtocol(d.Protocol)
	case "skip":
	case "unfair":
		if d.Search.Unfair == Default {
			d.Search.Unfair = On
		}
	default:
		err = errors.New("unknown directive: there are new, kind, protocol, oracle, ops, roles, property, config, unfair and skip")
	}
	return err
}

func setDefault(s *string, value string) {
	if *s == "" {
		*s = value
	}
}
