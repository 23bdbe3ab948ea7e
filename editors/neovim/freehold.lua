-- Neovim 0.7 or later; notes at the ends of lines need 0.10. Put this file into ~/.config/nvim/plugin, and freehold into the PATH.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.mlir',
  callback = function()
    if vim.bo.filetype ~= 'mlir' then vim.bo.filetype = 'mlir' end
  end,
})

local server = { name = 'freehold', cmd = { 'freehold', 'lsp' } }
if vim.lsp.config then
  vim.lsp.config('freehold', { cmd = server.cmd, filetypes = { 'mlir' }, root_markers = { '.git' } })
  vim.lsp.enable('freehold')
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'mlir',
  callback = function()
    vim.bo.commentstring = '// %s'
    vim.bo.shiftwidth = 2
    vim.bo.expandtab = true
    if not vim.lsp.config then -- before 0.11, there is one server for all buffers
      server.id = server.id or vim.lsp.start_client(server)
      vim.lsp.buf_attach_client(0, server.id)
    end
  end,
})

-- The notes at the ends of lines: what is copied and allocated there.
if vim.lsp.inlay_hint then
  vim.api.nvim_create_autocmd('LspAttach', {
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'freehold' then
        vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
      end
    end,
  })
end
