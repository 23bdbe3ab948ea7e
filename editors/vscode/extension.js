'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = vscode.workspace.getConfiguration('freehold').get('path');
  client = new LanguageClient('freehold', 'freehold', { command, args: ['lsp'] }, { documentSelector: [{ language: 'mlir' }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
