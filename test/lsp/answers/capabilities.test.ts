/** The answers to a client depend on the capabilities that it declares. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  ClientCapabilities,
  CodeAction,
  Command,
  Hover,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { type Client, cannotPull, canPull, connectClient } from '../../support/editor/client.ts';

const uri = 'file:///sync.yaml';
const textDocument = { uri };
const text = `config:
  edition: 3
streams:
  mine:
    query: SELECT t.* FROM todos AS t WHERE t.owner = auth.user_id()
stremas: {}
`;
const inCall = { line: 4, character: 58 };
const inAlias = { line: 4, character: 18 };
const typo = { start: { line: 5, character: 0 }, end: { line: 5, character: 7 } };

let client: Client;
let applied: WorkspaceEdit[];

const answers = {
  'workspace/applyEdit': ({ edit }: { readonly edit: WorkspaceEdit }) => {
    applied.push(edit);
    return { applied: true };
  },
};

beforeEach(() => {
  applied = [];
});
afterEach(() => client.dispose());

async function connect(capabilities: ClientCapabilities): Promise<void> {
  client = await connectClient(capabilities, { answers });
  await client.open(uri, text);
}

describe('A client that declares no capabilities', () => {
  beforeEach(() => connect(cannotPull));

  test('gets explanations as plain text', async () => {
    const hover = await client.request<Hover>('textDocument/hover', { textDocument, position: inCall });
    expect(hover.contents).toMatchObject({ kind: 'plaintext' });
    expect(JSON.stringify(hover.contents)).not.toMatch(/```|\*\*|\]\(/);
  });

  test('gets symbols as a list', async () => {
    const symbols = await client.request<SymbolInformation[]>('textDocument/documentSymbol', {
      textDocument,
    });
    expect(symbols.map(({ name, containerName }) => [name, containerName])).toContainEqual([
      'mine',
      'streams',
    ]);
    expect(symbols.every(({ location }) => location.uri === uri)).toBe(true);
  });

  test('gets actions as commands, and their edits when it runs them', async () => {
    const params = { textDocument, range: typo, context: { diagnostics: [] } };
    const [first] = await client.request<Command[]>('textDocument/codeAction', params);
    expect(client.server.capabilities.executeCommandProvider?.commands).toContain(first?.command);
    await client.request('workspace/executeCommand', {
      command: first?.command,
      arguments: first?.arguments,
    });
    expect(applied).toHaveLength(1);
    expect(Object.keys(applied[0]?.changes ?? {})).toEqual([uri]);
  });

  test('is refused a rename that would need a confirmation', async () => {
    const params = { textDocument, position: inAlias, newName: 'u' };
    await expect(client.request('textDocument/rename', params)).rejects.toThrow(
      /Clients see this table as `t`/,
    );
  });
});

describe('A modern editor', () => {
  const workspace = { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } };
  beforeEach(() => connect({ ...canPull, workspace }));

  test('gets Markdown, trees and actions', async () => {
    const hover = await client.request<Hover>('textDocument/hover', { textDocument, position: inCall });
    expect(hover.contents).toMatchObject({ kind: 'markdown' });
    const params = { textDocument, range: typo, context: { diagnostics: [] } };
    const [first] = await client.request<CodeAction[]>('textDocument/codeAction', params);
    expect(first?.edit).toBeDefined();
    expect(client.server.capabilities.executeCommandProvider).toBeUndefined();
  });

  test('gets edits with the version of the document, and must confirm before clients lose a table', async () => {
    const params = { textDocument, position: inAlias, newName: 'u' };
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', params);
    expect(edit.documentChanges).toMatchObject([{ textDocument: { uri, version: 1 } }]);
    expect(Object.values(edit.changeAnnotations ?? {})).toMatchObject([{ needsConfirmation: true }]);
  });
});
