/**
 * The language server, bundled as it is shipped, under a fast typist in a file of 1,000 streams: how long an
 * answer takes, protocol included, and whether memory grows with the number of edits. The system may keep what is no
 * longer in use.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createProtocolConnection, type Position, type ProtocolConnection } from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { writeBundle } from '../../scripts/bundles/bundle.ts';
import { bundles } from '../../scripts/bundles/bundles.ts';
import { root } from '../../scripts/root.ts';
import { median, milliseconds, percentile, printTable } from './measure.ts';

const streams = 1_000;
const typing = { edits: 600, everyMs: 50 };
const longRun = { edits: 10_000, rounds: 4 };
const uri = 'file:///bench/sync.yaml';

export async function bench(): Promise<void> {
  for (const one of bundles) if (one.out === 'server.js') await writeBundle(one);
  const watched = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(watch)}`];
  const server = spawn(process.execPath, [...watched, join(root, 'dist/server.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdio[1] as Readable),
    new StreamMessageWriter(server.stdio[0] as Writable),
  );
  connection.listen();
  try {
    await open(connection);
    printTable(
      `${typing.edits} edits in ${streams} streams, one each ${typing.everyMs} ms`,
      ['answer', 'median', '95 %', 'target'],
      await typingRows(connection),
    );
    printTable(
      `Memory over ${longRun.edits} edits, each with diagnostics and completion`,
      ['edits', 'in use', 'resident'],
      await memoryRows(connection, server),
    );
  } finally {
    connection.dispose();
    server.kill();
  }
}

async function open(connection: ProtocolConnection): Promise<void> {
  const capabilities = { textDocument: { diagnostic: {} } };
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification('initialized', {});
  const textDocument = { uri, languageId: 'yaml', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
}

const text = `config:\n  edition: 3\nstreams:\n${Array.from({ length: streams }, (_, index) => streamOf(index)).join('')}`;

function streamOf(index: number): string {
  return [
    `  stream_${index}:`,
    '    query: |',
    `      SELECT t.id, t.name FROM tasks_${index % 50} AS "t" JOIN lists AS l ON l.id = t.list_id`,
    `      WHERE l.owner_id = auth.user_id() AND t.kind = connection.parameter('kind_${index % 20}')`,
    '',
  ].join('\n');
}

/** In the middle of the file, where an identifier is typed behind `WHERE l.`, and taken back. */
const line = 3 + 4 * (streams / 2) + 3;
const column = '      WHERE l.'.length;
const word = 'own';

let version = 1;

/** A letter more with each edit, then the word is gone again. */
async function edit(connection: ProtocolConnection, number: number): Promise<Position> {
  const typed = number % (word.length + 1);
  const isLast = typed === word.length;
  const start = { line, character: column + (isLast ? 0 : typed) };
  const end = { line, character: column + typed };
  version += 1;
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ range: { start, end }, text: isLast ? '' : (word[typed] ?? '') }],
  });
  return { line, character: isLast ? column : column + typed + 1 };
}

async function typingRows(connection: ProtocolConnection): Promise<string[][]> {
  const textDocument = { uri };
  const targets = {
    diagnostic: '< 50 ms',
    completion: '< 30 ms',
    hover: '',
    rename: '< 20 ms',
    formatting: '< 20 ms',
    'semanticTokens/full': '< 20 ms',
    documentSymbol: '< 20 ms',
    codeAction: '< 20 ms',
  };
  const range = { start: { line, character: column }, end: { line, character: column } };
  const more: Readonly<Record<string, object>> = {
    // The name of the stream.
    rename: { position: { line: line - 3, character: 4 }, newName: 'renamed' },
    formatting: { options: { tabSize: 2, insertSpaces: true } },
    codeAction: { range, context: { diagnostics: [], triggerKind: 1 } },
  };
  const times = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
  for (let number = 0; number < typing.edits; number++) {
    const due = performance.now() + typing.everyMs;
    const position = await edit(connection, number);
    for (const [name, all] of times) {
      const start = performance.now();
      await connection.sendRequest(`textDocument/${name}`, { textDocument, position, ...more[name] });
      all.push(performance.now() - start);
    }
    await delay(Math.max(due - performance.now(), 0));
  }
  return [...times].map(([name, all]) => [
    name,
    milliseconds(median(all)),
    milliseconds(percentile(all, 95)),
    targets[name as keyof typeof targets],
  ]);
}

async function memoryRows(connection: ProtocolConnection, server: ChildProcess): Promise<string[][]> {
  const rows: string[][] = [];
  const edits = longRun.edits / longRun.rounds;
  for (let round = 0; round <= longRun.rounds; round++) {
    rows.push([`${round * edits}`, ...(await memoryOf(server))]);
    for (let number = 0; round < longRun.rounds && number < edits; number++) {
      const position = await edit(connection, number);
      const params = { textDocument: { uri }, position };
      await connection.sendRequest('textDocument/diagnostic', params);
      await connection.sendRequest('textDocument/completion', params);
    }
  }
  return rows;
}

/** Runs in the server: what is left when all that can go is gone, and what the system has given. */
const watch = `
  process.on('message', () => {
    gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send([heapUsed + external, rss]);
  });
  process.channel.unref();
`;

async function memoryOf(server: ChildProcess): Promise<string[]> {
  server.send('memory');
  const [bytes]: readonly number[][] = await once(server, 'message');
  return (bytes ?? []).map((count) => `${(count / 1024 ** 2).toFixed(1)} MB`);
}
