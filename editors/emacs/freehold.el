;;; freehold.el --- MLIR with freehold  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; A mode for MLIR, in which eglot talks to `freehold lsp'.  Put this file into a folder of `load-path', freehold into
;; the PATH, and (require 'freehold) into the init file.

;;; Code:

(require 'eglot)

(defgroup freehold nil
  "MLIR with freehold."
  :group 'languages)

(defcustom freehold-command '("freehold" "lsp")
  "The language server, with its arguments."
  :type '(repeat string))

(defvar freehold-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (c '(?% ?^ ?@ ?! ?# ?_ ?$ ?. ?-))
      (modify-syntax-entry c "_" table))
    table)
  "Names have a sigil, dots and hyphens; // begins a comment.")

(defvar freehold-font-lock-keywords
  '(("%[[:alnum:]_$.-]+" . font-lock-variable-name-face)
    ("@[[:alnum:]_$.-]+" . font-lock-function-name-face)
    ("\\^[[:alnum:]_$.-]+" . font-lock-constant-face)
    ("[!#][[:alpha:]_][[:alnum:]_$.]*" . font-lock-type-face)
    ("\\_<[[:alpha:]_][[:alnum:]_]*\\.[[:alnum:]_.]+" . font-lock-keyword-face))
  "Colours of names.")

;;;###autoload
(define-derived-mode freehold-mode prog-mode "MLIR"
  "A mode for programs in MLIR."
  (setq-local comment-start "// "
              comment-start-skip "//+\\s-*"
              indent-tabs-mode nil
              font-lock-defaults '(freehold-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . freehold-mode))

(add-to-list 'eglot-server-programs `(freehold-mode . ,freehold-command))
(add-hook 'freehold-mode-hook #'eglot-ensure)

(provide 'freehold)
;;; freehold.el ends here
