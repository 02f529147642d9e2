import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import { type Client, cannotPull, canPull, connectClient } from '../support/editor/client.ts';

const uri = 'file:///sync.yaml';
const misspelled = 'config:\n  edition: 3\nstreams: {}\nstremas: {}\n';
/** The range of the misspelled key. */
const typo = { start: { line: 3, character: 0 }, end: { line: 3, character: 7 } };

let client: Client;

afterEach(() => client.dispose());

describe('A client that pulls', () => {
  beforeEach(async () => {
    client = await connectClient(canPull);
  });

  test('learns that it can pull, and the name and version of the server', () => {
    expect(client.server.capabilities.diagnosticProvider).toEqual({
      interFileDependencies: false,
      workspaceDiagnostics: true,
    });
    expect(client.server.serverInfo).toEqual({ name: 'headwater', version: expect.stringMatching(/^\d/) });
  });

  test('gets each problem with its exact range', async () => {
    await client.open(uri, misspelled);
    expect(rangesOf(await client.pull(uri), 'unknown-key')).toEqual([typo]);
  });

  test('gets the same range in a file with CRLF', async () => {
    await client.open(uri, misspelled.replaceAll('\n', '\r\n'));
    expect(rangesOf(await client.pull(uri), 'unknown-key')).toEqual([typo]);
  });

  test('never gets the answer for an older version', async () => {
    await client.open(uri, misspelled);
    const before = client.pull(uri);
    void client.change(uri, { range: typo, text: '#' });
    const after = client.pull(uri);
    expect(rangesOf(await before, 'unknown-key')).toEqual([typo]);
    expect(rangesOf(await after, 'unknown-key')).toEqual([]);
  });

  test('may send several changes at once, each based on the one before', async () => {
    await client.open(uri, misspelled);
    const start = { line: 0, character: 0 };
    await client.change(
      uri,
      { range: { start, end: start }, text: '# one\n' },
      { range: { start, end: start }, text: '# two\n' },
    );
    expect(rangesOf(await client.pull(uri), 'unknown-key')).toEqual([
      { start: { line: 5, character: 0 }, end: { line: 5, character: 7 } },
    ]);
  });

  test('does not get the same problems again if the file has not changed', async () => {
    await client.open(uri, misspelled);
    const first = await client.pull(uri);
    expect(await client.pull(uri, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
  });

  test('gets a new answer when a file is opened again, even with an old result id', async () => {
    await client.open(uri, misspelled);
    const { resultId } = await client.pull(uri);
    await client.close(uri);
    await client.open(uri, '');
    expect((await client.pull(uri, resultId)).kind).toBe('full');
  });

  test('gets nothing for foreign YAML and for files that are not open', async () => {
    const foreign = 'file:///powersync.yaml';
    await client.open(foreign, 'apiVersion: v1\nkind: Service\nstremas: {}\n');
    expect(itemsOf(await client.pull(foreign))).toEqual([]);
    expect(itemsOf(await client.pull('file:///closed.yaml'))).toEqual([]);
  });
});

test('Only invalid YAML is left to another extension that reports it', async () => {
  client = await connectClient(canPull, { initializationOptions: { syntax: 'reported by others' } });
  await client.open(uri, `${misspelled}streams: {}\n"\n`);
  const codes = itemsOf(await client.pull(uri)).map(({ code }) => code);
  expect(codes).toContain('unknown-key');
  expect(codes.filter((code) => `${code}`.startsWith('yaml-'))).toEqual([]);
});

describe('A client that cannot pull', () => {
  beforeEach(async () => {
    client = await connectClient(cannotPull);
  });

  test('is sent the problems of each version, and an empty list when the file is closed', async () => {
    expect(client.server.capabilities.diagnosticProvider).toBeUndefined();
    await client.open(uri, misspelled);
    const first = await client.pushed();
    expect(first).toMatchObject({ uri, version: 1 });
    expect(first.diagnostics.map(({ code }) => code)).toContain('unknown-key');

    await client.change(uri, { range: typo, text: '#' });
    const second = await client.pushed();
    expect(second).toMatchObject({ uri, version: 2 });
    expect(second.diagnostics.map(({ code }) => code)).not.toContain('unknown-key');

    await client.close(uri);
    expect(await client.pushed()).toEqual({ uri, diagnostics: [] });
  });
});

function itemsOf(report: DocumentDiagnosticReport): Diagnostic[] {
  if (report.kind !== 'full') throw new Error('Nothing has changed.');
  return report.items;
}

function rangesOf(report: DocumentDiagnosticReport, code: string): Diagnostic['range'][] {
  return itemsOf(report)
    .filter((item) => item.code === code)
    .map(({ range }) => range);
}
