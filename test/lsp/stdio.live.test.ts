/** The server as it is shipped runs on standard streams, with a client that makes mistakes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFrames } from '../../server/lsp/host/frames.ts';
import { root } from '../support/house/imports.ts';

let server: ChildProcess;
let answers: AsyncGenerator<Answer>;

interface Answer {
  readonly id?: number;
  readonly error?: { readonly code: number };
  readonly result?: unknown;
}

beforeEach(() => {
  server = spawn(process.execPath, [join(root, 'dist/server.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  server.stderr?.resume();
  answers = answersOf(server);
});

afterEach(async () => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
});

const initialize = request(1, 'initialize', { processId: null, rootUri: null, capabilities: {} });

describe('A server on standard streams', () => {
  test.each(['Content-Length: abc\r\n\r\n{}', 'Content-Length: -5\r\n\r\n{}', 'Content-Type: x\r\n\r\n{}'])(
    'continues after %j',
    async (broken) => {
      server.stdin?.write(broken + initialize);
      expect(await answerTo(1)).toHaveProperty('result.capabilities');
    },
  );

  test('accepts lines that end with LF alone', async () => {
    server.stdin?.write(initialize.replaceAll('\r\n', '\n'));
    expect(await answerTo(1)).toHaveProperty('result.capabilities');
  });

  test('returns only errors before `initialize` and after `shutdown`, and exits', async () => {
    server.stdin?.write(request(1, 'textDocument/hover', {}));
    expect(await answerTo(1)).toHaveProperty('error.code', -32002);
    server.stdin?.write(initialize.replace('"id":1', '"id":2'));
    expect(await answerTo(2)).toHaveProperty('result.capabilities');
    server.stdin?.write(request(3, 'shutdown', {}) + request(4, 'shutdown', {}));
    expect(await answerTo(3)).toHaveProperty('result', null);
    expect(await answerTo(4)).toHaveProperty('error.code', -32600);
    server.stdin?.write(framed({ jsonrpc: '2.0', method: 'exit' }));
    expect((await once(server, 'exit'))[0]).toBe(0);
  });
});

function request(id: number, method: string, params: object): string {
  return framed({ jsonrpc: '2.0', id, method, params });
}

function framed(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function answerTo(id: number): Promise<Answer | undefined> {
  for (;;) {
    const { value, done } = await answers.next();
    if (done || value.id === id) return value;
  }
}

async function* answersOf({ stdout }: ChildProcess): AsyncGenerator<Answer> {
  const frames = readFrames(() => {});
  for await (const bytes of stdout ?? [])
    for (const body of frames.take(bytes)) yield JSON.parse(Buffer.from(body).toString());
}
