package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"freehold/pass"
)

// The exit statuses of commands that judge a program.
const (
	statusWrong         = 1 // it is wrong
	statusNotJudged     = 2 // nothing can be said
	statusNotUnderstood = 3 // it can't be read or isn't understood, or the command line isn't
)

// notUnderstood is the error of a command that has reported what is wrong with the text of
// a program.
type notUnderstood struct{}

func (notUnderstood) Error() string { return "the program is not understood" }

// failure is an error with an exit status of its own.
type failure struct {
	status int
	error
}

func (f failure) Unwrap() error { return f.error }

// judges annotates commands that judge.
const judges = "judges"

// unjudged gives an error the status of what keeps a command from judging, if the command judges.
func unjudged(c *cobra.Command, err error) error {
	if err == nil || c.Annotations[judges] == "" {
		return err
	}
	return failure{statusNotUnderstood, err}
}

// judging makes whatever keeps a command from judging an error with a status of its own.
func judging(c *cobra.Command) *cobra.Command {
	told := func(err error) error {
		var status exitStatus
		var text notUnderstood
		switch {
		case err == nil || errors.As(err, &status):
			return err
		case errors.As(err, &text):
			return exitStatus(statusNotUnderstood)
		}
		return failure{statusNotUnderstood, err}
	}
	c.Annotations = map[string]string{judges: "a program"}
	run, takes := c.RunE, c.Args
	c.RunE = func(c *cobra.Command, args []string) error { return told(run(c, args)) }
	c.Args = func(c *cobra.Command, args []string) error { return told(takes(c, args)) }
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return told(misuse(c, err.Error()+likeFlag(c, err))) })
	return c
}

// statusOf reports what a command failed with, unless that is done, and returns the exit
// status.
func statusOf(err error, s Streams) int {
	var status exitStatus
	var f failure
	var text notUnderstood
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &text):
		return 1
	}
	fmt.Fprintf(s.Err, "freehold: %v\n", err)
	var pipeline *pass.PipelineError
	var option *pass.UnknownOptionError
	similar := ""
	switch {
	case errors.As(err, &pipeline):
		similar = pipeline.Similar
	case errors.As(err, &option):
		similar = option.Similar
	}
	if similar != "" {
		fmt.Fprintf(s.Err, "freehold: did you mean '%s'?\n", similar)
	}
	if errors.As(err, &f) {
		return f.status
	}
	return 1
}
