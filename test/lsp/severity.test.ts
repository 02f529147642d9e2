import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import { type ReviewResult, reviewRequest } from '../../server/protocol.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { eventually } from '../support/house/eventually.ts';

const uri = 'file:///w/sync.yaml';
/** A config with an error and a hint. */
const text = 'config:\n  edition: 3\nstreems: 1\nstreams:\n  a:\n    query: SELECT DISTINCT * FROM a\n';
const asTheyAre = ['unknown-key 1', 'ignored-distinct 4'];

let client: Client;
let severity: unknown;

beforeEach(async () => {
  severity = undefined;
  client = await connectClient(
    { ...canPull, workspace: { configuration: true } },
    { settings: () => ({ diagnostics: { severity } }) },
  );
  await client.open(uri, text);
  await untilShown(asTheyAre);
});

afterEach(() => client.dispose());

async function change(wanted: unknown): Promise<void> {
  severity = wanted;
  await client.notify('workspace/didChangeConfiguration', { settings: null });
}

const untilShown = (expected: readonly string[]): Promise<void> =>
  eventually(async () => expect(shown(await client.pull(uri))).toEqual(expected));

/** Returns lines such as `unknown-key 1`, in which 1 is an error, 2 a warning, 3 an information and 4 a hint. */
function shown(report: DocumentDiagnosticReport): readonly string[] {
  if (report.kind !== 'full') throw new Error('Nothing has changed.');
  return report.items.map(({ code, severity }) => `${code} ${severity}`);
}

test('A code is shown with the severity in the settings', async () => {
  await change({ 'unknown-key': 'information', 'ignored-distinct': 'error' });
  await untilShown(['unknown-key 3', 'ignored-distinct 1']);
});

test('A code that is off is not shown, and no fix is offered for it', async () => {
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 7 } };
  const fixes = async (kind: string) => {
    const context = { diagnostics: [] as Diagnostic[], only: [kind] };
    const asked = { textDocument: { uri }, range, context };
    return (await client.request<object[]>('textDocument/codeAction', asked)).length;
  };
  expect(await fixes('quickfix')).toBeGreaterThan(0);
  expect(await fixes('source.fixAll')).toBe(1);
  await change({ 'unknown-key': 'off', 'ignored-distinct': 'off' });
  await untilShown([]);
  expect([await fixes('quickfix'), await fixes('source.fixAll')]).toEqual([0, 0]);
});

test.each([
  [{ 'no-such-code': 'off', 'unknown-key': 'fatal' }],
  [{ 'unknown-key': 0, constructor: 'off' }],
  ['off'],
  [null],
])('An invalid setting is ignored: %j', async (nonsense) => {
  await change({ 'unknown-key': 'off' });
  await untilShown(['ignored-distinct 4']);
  await change(nonsense);
  await untilShown(asTheyAre);
});

test('A change of the setting results in a new report for the same text', async () => {
  const { resultId } = await client.pull(uri);
  expect((await client.pull(uri, resultId)).kind).toBe('unchanged');
  await change({ 'unknown-key': 'off' });
  await eventually(async () => expect((await client.pull(uri, resultId)).kind).toBe('full'));
});

test('An error remains an error for a deploy, whose review also reports the errors that the settings play down', async () => {
  const review = () => client.request<ReviewResult>(reviewRequest, { uri, text });
  expect(await review()).toMatchObject({ errors: 1, playedDown: [] });
  await change({ 'unknown-key': 'off' });
  await untilShown(['ignored-distinct 4']);
  expect(await review()).toMatchObject({
    errors: 1,
    playedDown: [expect.stringMatching(/^unknown-key: .*`streems`/)],
  });
});
