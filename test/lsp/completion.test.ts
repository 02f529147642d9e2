import { afterEach, describe, expect, test } from 'vitest';
import type { CompletionContext, CompletionItem, Hover, SignatureHelp } from 'vscode-languageserver';
import { bareHost } from '../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const uri = 'file:///w/sync.yaml';
const text = `config:
  edition: 3
streams:
  mine:
    query: SELECT * FROM boats WHERE owner_id =
    `;
const inQuery = { line: 4, character: 47 };
const belowQuery = { line: 5, character: 4 };
const withSnippets = {
  textDocument: {
    diagnostic: {},
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
  },
};

let client: Client;

afterEach(() => client.dispose());

async function open(capabilities: object, file = text, name = uri): Promise<void> {
  client = await connectClient(capabilities, {
    host: { ...bareHost, environmentNames: (of) => (of.text === 'file:///w/service.yaml' ? ['PS_URI'] : []) },
    initializationOptions: { commands: ['editor.action.triggerSuggest'] },
  });
  await client.open(name, file);
}

async function itemsAt(
  position: object,
  context?: CompletionContext,
  name = uri,
): Promise<readonly CompletionItem[]> {
  const params = { textDocument: { uri: name }, position, ...(context && { context }) };
  return (await client.request<CompletionItem[] | null>('textDocument/completion', params)) ?? [];
}

describe('Completion', () => {
  test('is announced with the characters that trigger it', async () => {
    await open(withSnippets);
    expect(client.server.capabilities.completionProvider).toEqual({
      triggerCharacters: ['.', ' ', "'"],
      resolveProvider: true,
    });
  });

  test('replaces an exact range, with places to fill in if the client supports snippets', async () => {
    await open(withSnippets);
    const items = await itemsAt(inQuery);
    expect(items.find(({ label }) => label === 'auth.parameter()')).toMatchObject({
      kind: 3,
      detail: 'signed',
      insertTextFormat: 2,
      textEdit: { range: { start: inQuery, end: inQuery }, newText: "auth.parameter('$0')" },
      command: { command: 'editor.action.triggerSuggest' },
    });
  });

  test('is plain text for other clients', async () => {
    await open(canPull);
    const [item] = (await itemsAt(inQuery)).filter(({ label }) => label === 'upper');
    expect(item?.textEdit).toMatchObject({ newText: 'upper()' });
    expect(item?.insertTextFormat).toBeUndefined();
  });

  test('keeps its order in any editor', async () => {
    await open(withSnippets);
    const items = await itemsAt(belowQuery);
    const sorted = items.toSorted((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1));
    expect(sorted.map(({ label }) => label)).toEqual([
      'with',
      'auto_subscribe',
      'priority',
      'accept_potentially_dangerous_queries',
    ]);
  });

  test('explains an item only when the item is resolved', async () => {
    await open(withSnippets);
    const [item] = (await itemsAt(belowQuery)).filter(({ label }) => label === 'auto_subscribe');
    expect(item?.documentation).toBeUndefined();
    const resolved = await client.request<CompletionItem>('completionItem/resolve', item ?? {});
    expect(resolved.documentation).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('Every client gets this stream'),
    });
  });

  test('does not change an item of an older list', async () => {
    await open(withSnippets);
    const [item] = await itemsAt(belowQuery);
    await itemsAt(inQuery);
    expect(await client.request('completionItem/resolve', item ?? {})).toEqual(item);
    const foreign = { label: 'of someone else' };
    expect(await client.request('completionItem/resolve', foreign)).toEqual(foreign);
  });

  test('after a typed blank is offered only where a name must follow', async () => {
    await open(withSnippets);
    const blank = { triggerKind: 2, triggerCharacter: ' ' } as const;
    expect(await itemsAt(inQuery, blank)).not.toEqual([]);
    expect(await itemsAt({ line: 4, character: 32 }, blank)).toEqual([]);
  });

  test('offers the names of environment variables', async () => {
    const service = 'file:///w/service.yaml';
    await open(
      withSnippets,
      'replication:\n  connections:\n    - type: postgresql\n      uri: !env ',
      service,
    );
    const labels = (await itemsAt({ line: 3, character: 16 }, undefined, service)).map(({ label }) => label);
    expect(labels).toEqual(['PS_URI']);
  });

  test('knows the parameters of the other configs', async () => {
    const more = text.replace('owner_id =', "owner_id = auth.parameter('");
    await open(withSnippets, more);
    const other = text.replace('owner_id =', "owner_id = auth.parameter('team')");
    await client.open('file:///w/other/sync.yaml', other);
    const labels = (await itemsAt({ line: 4, character: 64 })).map(({ label }) => label);
    expect(labels).toContain('team');
  });

  test('knows the tables of the migrations', async () => {
    const files = memoryFiles(
      new Map([['file:///w/migrations/1.sql', 'create table boats (id uuid, sails integer);']]),
    );
    const capabilities = { ...canPull, workspace: { diagnostics: { refreshSupport: true } } };
    client = await connectClient(capabilities, { host: { ...bareHost, files }, folders: ['file:///w/'] });
    await client.refreshed();
    await client.open(uri, text);
    const [item] = (await itemsAt(inQuery)).filter(({ label }) => label === 'sails');
    expect(item).toMatchObject({ kind: 5, detail: 'integer · boats' });
  });

  test('is empty for files that are not open, and for foreign files', async () => {
    await open(withSnippets, 'apiVersion: v1\nkind: Pod\n');
    expect(await itemsAt({ line: 2, character: 0 })).toEqual([]);
    expect(await itemsAt({ line: 0, character: 0 }, undefined, 'file:///w/closed/sync.yaml')).toEqual([]);
  });
});

test('A hover is Markdown with the range that it explains', async () => {
  await open(canPull);
  const params = { textDocument: { uri }, position: { line: 1, character: 4 } };
  const found = await client.request<Hover | null>('textDocument/hover', params);
  expect(found).toEqual({
    contents: { kind: 'markdown', value: expect.stringContaining('`edition`') },
    range: { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } },
  });
  const beside = { textDocument: { uri }, position: { line: 5, character: 2 } };
  expect(await client.request('textDocument/hover', beside)).toBeNull();
});

test('Signature help marks the parameter that is being typed', async () => {
  await open(canPull, text.replace('owner_id =', 'owner_id = substring(name, '));
  const params = { textDocument: { uri }, position: { line: 4, character: 64 } };
  const found = await client.request<SignatureHelp | null>('textDocument/signatureHelp', params);
  expect(found).toMatchObject({
    activeSignature: 0,
    activeParameter: 1,
    signatures: [
      { label: 'substring(x, start [, length])', parameters: [{ label: [10, 11] }, { label: [13, 18] }, {}] },
    ],
  });
});
