/** A client may count columns in bytes or characters. Then all columns are counted so, in both directions. */
import { afterEach, describe, expect, test } from 'vitest';
import type {
  CodeAction,
  Diagnostic,
  Hover,
  Location,
  Position,
  SemanticTokens,
  TextEdit,
} from 'vscode-languageserver';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';

const uri = 'file:///sync.yaml';
const textDocument = { uri };
const line = `    query: SELECT 'Käse 🧀' AS x, uper(id) AS y, id FROM lists AS l WHERE l.owner = auth.user_id()`;
const text = `config:\n  edition: 3\nstreams:\n  mine:\n${line}\n`;
const at = 4;

const counts = {
  'utf-8': (part: string) => new TextEncoder().encode(part).length,
  'utf-16': (part: string) => part.length,
  'utf-32': (part: string) => [...part].length,
} as const;

type Unit = keyof typeof counts;

let client: Client;
afterEach(() => client.dispose());

async function connect(positionEncodings: readonly string[]): Promise<void> {
  client = await connectClient({ ...canPull, general: { positionEncodings: [...positionEncodings] } });
  await client.open(uri, text);
}

describe.each(Object.keys(counts) as Unit[])('In %s', (unit) => {
  const column = (before: string, of = line): number => counts[unit](of.slice(0, of.indexOf(before)));
  const place = (before: string): Position => ({ line: at, character: column(before) });

  test('findings, hovers and fixes have the right places', async () => {
    await connect([unit]);
    expect(client.server.capabilities.positionEncoding).toBe(unit);
    const report = await client.pull(uri);
    const [found]: Diagnostic[] =
      report.kind === 'full' ? report.items.filter(({ code }) => code === 'unknown-function') : [];
    expect(found?.range).toEqual({ start: place('uper'), end: place('(id)') });
    const hover = await client.request<Hover>('textDocument/hover', {
      textDocument,
      position: place('user_id'),
    });
    expect(JSON.stringify(hover.contents)).toContain('auth.user_id');
    const params = { textDocument, range: found?.range, context: { diagnostics: [found] } };
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', params);
    const edits: TextEdit[] =
      actions.find(({ title }) => title === 'Write upper')?.edit?.changes?.[uri] ?? [];
    expect(edits).toEqual([{ range: found?.range, newText: 'upper' }]);
  });

  test('changes are made at the right places', async () => {
    await connect([unit]);
    await client.change(
      uri,
      { range: { start: place('Käse'), end: place('🧀') }, text: '😀ä' },
      {
        range: {
          start: { line: at, character: column('uper', line.replace('Käse ', '😀ä')) },
          end: { line: at, character: column('(id)', line.replace('Käse ', '😀ä')) },
        },
        text: 'upper',
      },
    );
    const report = await client.pull(uri);
    expect(report.kind === 'full' && report.items.map(({ code }) => code)).not.toContain('unknown-function');
    const changed = line.replace('Käse ', '😀ä').replace('uper', 'upper');
    const [definition] = await client
      .request<Location[]>('textDocument/definition', {
        textDocument,
        position: { line: at, character: column('l.owner', changed) },
      })
      .then((found) => [found].flat());
    expect(JSON.stringify(definition)).toContain(`"character":${column('l WHERE', changed)}`);
  });

  test('colours cover whole words', async () => {
    await connect([unit]);
    const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument,
    });
    const lengths = data.filter((_, index) => index % 5 === 2);
    expect(lengths).toContain(counts[unit]("'Käse 🧀'"));
  });
});

test.each([
  [[], 'utf-16'],
  [['utf-7'], 'utf-16'],
  [['utf-8', 'utf-16'], 'utf-8'],
  [['utf-16', 'utf-8'], 'utf-16'],
  [['utf-32', 'utf-8', 'utf-16'], 'utf-32'],
])('From %j, the server selects %s', async (offered, taken) => {
  await connect(offered);
  expect(client.server.capabilities.positionEncoding).toBe(taken);
});
