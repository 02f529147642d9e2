/** Compares docs/FEATURES.md with the capabilities of the server, and with the tests that the page names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerCapabilities } from 'vscode-languageserver';
import {
  explainRowRequest,
  reviewRequest,
  rowQueryRequest,
  runTestsRequest,
  schemaStatusRequest,
  serviceSchemaRequest,
  testFilesRequest,
  testsChangedNotification,
} from '../server/protocol.ts';
import { canPull, connectClient } from './support/editor/client.ts';
import { root } from './support/house/imports.ts';

const page = readFileSync(join(root, 'docs/FEATURES.md'), 'utf8');

const rows = [...page.matchAll(/^\| `([\w/]+)` *\| (.+?) *\| (.+?) *\|$/gm)].map(
  ([, method = '', , proofs = '']) => ({
    method,
    tests: [...proofs.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = '']) => path),
  }),
);

/** The methods of a capability. */
const methodsOf: Readonly<Partial<Record<keyof ServerCapabilities, readonly string[]>>> = {
  diagnosticProvider: ['textDocument/diagnostic', 'workspace/diagnostic'],
  completionProvider: ['textDocument/completion', 'completionItem/resolve'],
  hoverProvider: ['textDocument/hover'],
  signatureHelpProvider: ['textDocument/signatureHelp'],
  definitionProvider: ['textDocument/definition'],
  referencesProvider: ['textDocument/references'],
  documentHighlightProvider: ['textDocument/documentHighlight'],
  renameProvider: ['textDocument/prepareRename', 'textDocument/rename'],
  documentSymbolProvider: ['textDocument/documentSymbol'],
  workspaceSymbolProvider: ['workspace/symbol'],
  foldingRangeProvider: ['textDocument/foldingRange'],
  selectionRangeProvider: ['textDocument/selectionRange'],
  documentLinkProvider: ['textDocument/documentLink'],
  inlayHintProvider: ['textDocument/inlayHint'],
  codeLensProvider: ['textDocument/codeLens', 'codeLens/resolve'],
  semanticTokensProvider: [
    'textDocument/semanticTokens/full',
    'textDocument/semanticTokens/full/delta',
    'textDocument/semanticTokens/range',
  ],
  linkedEditingRangeProvider: ['textDocument/linkedEditingRange'],
  callHierarchyProvider: [
    'textDocument/prepareCallHierarchy',
    'callHierarchy/incomingCalls',
    'callHierarchy/outgoingCalls',
  ],
  codeActionProvider: ['textDocument/codeAction'],
  documentFormattingProvider: ['textDocument/formatting'],
  documentRangeFormattingProvider: ['textDocument/rangeFormatting', 'textDocument/rangesFormatting'],
  documentOnTypeFormattingProvider: ['textDocument/onTypeFormatting'],
  workspace: ['workspace/didChangeWorkspaceFolders', 'workspace/willRenameFiles'],
  positionEncoding: [],
  textDocumentSync: [],
};

/** Methods that belong to no capability. */
const further = [
  'textDocument/publishDiagnostics',
  'workspace/didChangeWatchedFiles',
  'workspace/didChangeConfiguration',
  serviceSchemaRequest,
  schemaStatusRequest,
  reviewRequest,
  explainRowRequest,
  rowQueryRequest,
  testFilesRequest,
  runTestsRequest,
  testsChangedNotification,
];

test('FEATURES has a row for each method that the server supports, and for no other', async () => {
  const client = await connectClient(canPull);
  const names = Object.keys(client.server.capabilities) as (keyof ServerCapabilities)[];
  client.dispose();
  expect(names.filter((name) => methodsOf[name] === undefined)).toEqual([]);
  const methods = [...names.flatMap((name) => methodsOf[name] ?? []), ...further];
  expect(rows.map(({ method }) => method).toSorted()).toEqual(methods.toSorted());
});

test.each(rows)('$method is called in the first test that its row names', ({ method, tests }) => {
  const texts = tests.map((path) => readFileSync(join(root, path), 'utf8'));
  expect(texts.length).toBeGreaterThan(0);
  // The tests call diagnostics and our own requests by other names.
  const called: Readonly<Record<string, RegExp>> = {
    'textDocument/diagnostic': /client\.pull\(/,
    'textDocument/publishDiagnostics': /client\.pushed\(/,
    [serviceSchemaRequest]: /request\(serviceSchemaRequest/,
    [schemaStatusRequest]: /request\(schemaStatusRequest/,
    [explainRowRequest]: /request<ExplainRowResult>\(explainRowRequest/,
    [rowQueryRequest]: /request<RowQueryResult>\(rowQueryRequest/,
    [reviewRequest]: /request<ReviewResult>\(reviewRequest/,
    [testFilesRequest]: /request<TestFilesResult>\(testFilesRequest/,
    [runTestsRequest]: /request<RunTestsResult>\(runTestsRequest/,
    [testsChangedNotification]: /onNotification\(testsChangedNotification/,
  };
  expect(texts[0]).toMatch(called[method] ?? new RegExp(`'${method}'`));
});
