package lsp_test

import (
	"context"
	"fmt"
	"net"

	"freehold/driver"
	"freehold/tool/lsp"

	"github.com/sourcegraph/jsonrpc2"
)

// A server on one end of a connection, and a client on the other one.
func ExampleServer() {
	here, there := net.Pipe()
	ctx := context.Background()
	served := make(chan error, 1)
	go func() { served <- lsp.NewServer(driver.Freehold(), "builtin.module(cse)", "1.0").Serve(ctx, there) }()

	quiet := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), quiet)
	var answer struct {
		ServerInfo struct{ Name, Version string }
	}
	if err := conn.Call(ctx, "initialize", map[string]any{}, &answer); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.ServerInfo.Name, answer.ServerInfo.Version)
	if err := conn.Notify(ctx, "exit", nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(<-served)
	// Output:
	// freehold 1.0
	// <nil>
}
