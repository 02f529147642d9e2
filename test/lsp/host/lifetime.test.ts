import { afterEach, describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { nextPhase, type Phase, type Verdict } from '../../../server/lsp/host/lifetime.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';

const table: readonly (readonly [Phase, 'request' | 'notification', string, Phase, Verdict])[] = [
  ['new', 'request', 'initialize', 'running', 'take'],
  ['new', 'request', 'shutdown', 'new', 'not initialized'],
  ['new', 'request', 'textDocument/hover', 'new', 'not initialized'],
  ['new', 'notification', 'textDocument/didOpen', 'new', 'drop'],
  ['new', 'notification', 'exit', 'new', 'take'],
  ['running', 'request', 'initialize', 'running', 'initialized before'],
  ['running', 'request', 'shutdown', 'shut down', 'take'],
  ['running', 'request', 'textDocument/hover', 'running', 'take'],
  ['running', 'notification', 'textDocument/didOpen', 'running', 'take'],
  ['running', 'notification', 'exit', 'running', 'take'],
  ['shut down', 'request', 'initialize', 'shut down', 'shut down'],
  ['shut down', 'request', 'shutdown', 'shut down', 'shut down'],
  ['shut down', 'request', 'textDocument/hover', 'shut down', 'shut down'],
  ['shut down', 'notification', 'textDocument/didOpen', 'shut down', 'drop'],
  ['shut down', 'notification', 'exit', 'shut down', 'take'],
];

test.each(table)('A server that is %s: the %s %s', (phase, kind, method, after, verdict) => {
  expect(nextPhase(phase, { kind, method })).toEqual({ phase: after, verdict });
});

describe('Over the protocol', () => {
  const uri = 'file:///sync.yaml';
  const position = { line: 0, character: 0 };
  let client: Client;
  afterEach(() => client.dispose());

  test('a second `initialize`, and any request after `shutdown`, is an error', async () => {
    client = await connectClient(canPull);
    const second = client.request('initialize', { processId: null, rootUri: null, capabilities: {} });
    await expect(second).rejects.toMatchObject({ code: -32600 });
    await client.request('shutdown', {});
    const late = client.request('textDocument/hover', { textDocument: { uri }, position });
    await expect(late).rejects.toMatchObject({ code: -32600 });
  });

  test('a request that is cancelled while it waits is not computed', async () => {
    client = await connectClient(canPull);
    await client.open(uri, 'config:\n  edition: 3\n');
    const params = { textDocument: { uri }, position };
    const sources = Array.from({ length: 40 }, () => new CancellationTokenSource());
    const answers = sources.map(({ token }) =>
      client.request('textDocument/hover', params, token).then(
        () => 'answered',
        ({ code }: { readonly code: number }) => code,
      ),
    );
    for (const source of sources.slice(1)) source.cancel();
    const codes = await Promise.all(answers);
    expect(codes[0]).toBe('answered');
    expect(codes.filter((code) => code === -32800).length).toBeGreaterThan(30);
  });
});
