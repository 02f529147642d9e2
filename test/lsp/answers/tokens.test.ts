import { afterEach, expect, test } from 'vitest';
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import { changesBetween } from '../../../server/lsp/answers/tokens.ts';
import { randomFrom } from '../../differential/random.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';

const uri = 'file:///sync.yaml';
const textDocument = { uri };
const text = `config:
  edition: 3
streams:
  a:
    query: |
      SELECT t.id, t.name -- a comment
      FROM todos AS t WHERE t.owner = auth.user_id()
  b: { query: "SELECT id FROM lists WHERE owner = auth.user_id()" }
  c:
    queries:
      - SELECT * FROM lists
      - SELECT * FROM todos WHERE list_id IN (SELECT id FROM lists)
`;

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
});

async function connect(): Promise<Client> {
  const client = await connectClient(canPull);
  clients.push(client);
  return client;
}

test.each(['\n', '\r\n'])(
  'Changes of tokens result in the tokens of a new server (%j)',
  async (lineBreak) => {
    const random = randomFrom(7);
    const client = await connect();
    let lines = text.split('\n');
    await client.open(uri, lines.join(lineBreak));
    let { resultId, data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument,
    });
    for (let round = 0; round < 40; round += 1) {
      const line = random.int(lines.length - 1);
      const [added = ''] = [random.pick(['x', ' y', '# z', '      SELECT'])];
      const isNewLine = random.int(2) === 0;
      const start = { line, character: 0 };
      const written = isNewLine ? `${added}${lineBreak}` : added;
      await client.change(uri, { range: { start, end: start }, text: written });
      lines = isNewLine ? lines.toSpliced(line, 0, added) : lines.with(line, added + lines[line]);
      const params = { textDocument, previousResultId: resultId };
      const delta = await client.request<SemanticTokensDelta | SemanticTokens>(
        'textDocument/semanticTokens/full/delta',
        params,
      );
      const edits =
        'edits' in delta ? delta.edits : [{ start: 0, deleteCount: data.length, data: delta.data }];
      for (const edit of edits) data = data.toSpliced(edit.start, edit.deleteCount, ...(edit.data ?? []));
      resultId = delta.resultId;
      const other = await connect();
      await other.open(uri, lines.join(lineBreak));
      const fresh = await other.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
      expect(data).toEqual(fresh.data);
    }
  },
);

test.each<[string, string, number, string]>([
  ['at the top', text, 0, '# a comment\n'],
  ['between two streams', text, text.indexOf('  b:'), '  # a comment\n'],
  ['at the end', text, text.length, '  d: { query: SELECT id FROM lists }\n'],
  ['that breaks a line of a query', text, text.indexOf(' FROM todos AS'), '\n     '],
  [
    'in one of very many streams',
    manyStreams(),
    manyStreams().indexOf('  s40:'),
    '  x: { query: SELECT a FROM b }\n',
  ],
])('All tokens after a change %s are those of a new server', async (_, before, at, added) => {
  const client = await connect();
  await client.open(uri, before);
  await client.request('textDocument/semanticTokens/full', { textDocument });
  const lines = before.slice(0, at).split('\n');
  const start = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  for (const round of [1, 2]) {
    await client.change(uri, { range: { start, end: start }, text: added });
    const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument,
    });
    const other = await connect();
    await other.open(uri, before.slice(0, at) + added.repeat(round) + before.slice(at));
    const fresh = await other.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    expect(data).toEqual(fresh.data);
  }
});

function manyStreams(): string {
  const streams = Array.from({ length: 80 }, (_, n) => `  s${n}:\n    query: SELECT id FROM t${n % 3}\n`);
  return `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
}

test('A client that requests the changes since an answer before the last one gets all tokens', async () => {
  const client = await connect();
  await client.open(uri, text);
  const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
  const params = { textDocument, previousResultId: 'another' };
  expect(await client.request('textDocument/semanticTokens/full/delta', params)).toMatchObject({ data });
});

test.each<[string, number[], number[]]>([
  ['nothing', [1, 2, 3], [1, 2, 3]],
  ['the start', [1, 2, 3], [0, 2, 3]],
  ['the end', [1, 2, 3], [1, 2, 4, 5]],
  ['repetitions', [1, 1, 1], [1, 1, 1, 1]],
  ['all of it', [1, 2], []],
  ['an empty list', [], [1, 2]],
])('The change of %s is at most one edit', (_, before, now) => {
  const edits = changesBetween(before, now);
  const changed = edits.reduce(
    (all, { start, deleteCount, data = [] }) => all.toSpliced(start, deleteCount, ...data),
    before,
  );
  expect(changed).toEqual(now);
  expect(edits.length).toBeLessThanOrEqual(1);
});
