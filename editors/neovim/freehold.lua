-- Neovim 0.11 or later: put this file into ~/.config/nvim/plugin, and freehold into the PATH.
vim.filetype.add({ extension = { mlir = 'mlir' } })

vim.lsp.config('freehold', {
  cmd = { 'freehold', 'lsp' },
  filetypes = { 'mlir' },
  root_markers = { '.git' },
})
vim.lsp.enable('freehold')

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'mlir',
  callback = function()
    vim.bo.commentstring = '// %s'
    vim.bo.shiftwidth = 2
    vim.bo.expandtab = true
  end,
})

-- The notes at the ends of lines: what is copied and allocated there.
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'freehold' then
      vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    end
  end,
})
