package scripts_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// inNeovim looks at a file in Neovim, and prints what the language server makes of it.
const inNeovim = `
local function say(...) io.stdout:write(table.concat({ ... }, ' ') .. '\n') end
local function wait(what, f) if not vim.wait(30000, f, 50) then say('in vain:', what) end end
local function clients() return vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0, name = 'freehold' }) or vim.tbl_values(vim.lsp.buf_get_clients(0)) end
say('filetype', vim.bo.filetype, vim.bo.commentstring)
local ok, err = pcall(function()
  wait('a server', function() return #clients() > 0 end)
  local client = clients()[1]
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  for _, d in ipairs(vim.diagnostic.get(0)) do say('diagnostic', d.lnum + 1, d.message) end
  vim.api.nvim_buf_set_lines(0, 5, 8, false, {})
  wait('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
  if vim.lsp.inlay_hint then
    wait('hints', function() vim.cmd('redraw!') return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
    for _, h in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do say('hint', h.inlay_hint.position.line + 1, h.inlay_hint.label) end
  end
  vim.api.nvim_win_set_cursor(0, { 2, 12 })
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local function ask(what, params)
    params.textDocument = { uri = vim.uri_from_bufnr(0) }
    if vim.lsp.config then return client:request_sync(what, params, 30000, 0).result end
    return client.request_sync(what, params, 30000, 0).result
  end
  say('hover', ask('textDocument/hover', at).contents.value)
  for _, l in ipairs(ask('textDocument/codeLens', {})) do say('lens', l.command.title) end
  for _, i in ipairs(ask('textDocument/completion', { position = { line = 1, character = 14 } }).items) do say('completion', i.label) end
  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 30000 }) else vim.lsp.buf.formatting_sync({}, 30000) end
  say('formatted', vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
end)
if not ok then say('in vain:', err) end
vim.cmd('qa!')
`

// TestNeovim lets Neovim talk to the language server, with the configuration of editors/neovim.
func TestNeovim(t *testing.T) {
	version, err := exec.Command("nvim", "--version").Output()
	if err != nil {
		t.Skip(err)
	}
	if regexp.MustCompile(`^NVIM v0\.[0-6]\.`).Match(version) {
		t.Skip("the configuration needs Neovim 0.7")
	}
	hints := !regexp.MustCompile(`^NVIM v0\.\d\.`).Match(version) // since 0.10
	config, err := os.ReadFile("../../../editors/neovim/freehold.lua")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config/nvim/plugin/freehold.lua": string(config),
		"try.lua":                         inNeovim,
		"a.mlir": "func.func @f(%x: tensor<256xf32>, %i: index, %f: f32) -> (tensor<256xf32>, f32) {\n" +
			"      %y = tensor.insert %f into %x[%i] : tensor<256xf32>\n" +
			"  %e = tensor.extract %x[%i] : tensor<256xf32>\n" +
			"  return %y, %e : tensor<256xf32>, f32\n}\n" +
			"func.func @bad() -> i32 {\n  return %nothing : i32\n}\n",
	} {
		file := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(file), 0o777)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "nvim", "--headless", "a.mlir", "-S", "try.lua")
	c.Dir = dir
	c.Env, c.WaitDelay = os.Environ(), time.Second
	for _, what := range []string{"CONFIG", "DATA", "STATE", "CACHE"} {
		c.Env = append(c.Env, "XDG_"+what+"_HOME="+filepath.Join(dir, strings.ToLower(what)))
	}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("nvim: %v", err)
	}
	for _, want := range []string{
		"filetype mlir // %s\n",
		"diagnostic 7 use of undeclared SSA value name\n",
		"hover ",
		"`tensor.insert`",
		"lens compiled: peak 1.0 KiB, 1 allocation, 1 copy\n",
		"formatted   %y = tensor.insert",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if hints && !strings.Contains(string(out), "hint 2 copies 1.0 KiB\n") {
		t.Errorf("there is no hint in\n%s", out)
	}
	if strings.Contains(string(out), "in vain") {
		t.Errorf("%s", out)
	}
}
