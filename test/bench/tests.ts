/**
 * Access tests: from a keystroke in a config of 100 streams to the results of its 200 tests, with the language protocol
 * between; the search of the claims of an example; and the comparison of two configs that differ in one stream.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProtocolConnection } from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { writeBundle } from '../../scripts/bundles/bundle.ts';
import { bundles } from '../../scripts/bundles/bundles.ts';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { root } from '../../scripts/root.ts';
import {
  analyze,
  type Config,
  compareAccess,
  finish,
  noSeeds,
  openClaims,
  prepareTests,
  readSqlFiles,
  readTests,
  runTests,
  toTestSubject,
} from '../../server/engine/index.ts';
import { type RunTestsResult, runTestsRequest, testsChangedNotification } from '../../server/protocol.ts';
import { openJudge } from '../../server/shared/claimJudge.ts';
import { median, milliseconds, percentile, printTable, timesOf } from './measure.ts';

const streams = 100;
const tests = 200;
const keystrokes = 100;

export async function bench(): Promise<void> {
  const marks = await timesToMarks();
  const searches = await timesOfClaims();
  const comparison = timesOf(5, () => {
    finish(
      compareAccess(parsed(configOf(0)), parsed(configOf(1)), undefined, () => ({ isTimeUp: () => false })),
    );
  });
  printTable(
    `${streams} streams and ${tests} tests`,
    ['what', 'median', '95 %', 'target'],
    [
      [
        'from a keystroke to the marks',
        milliseconds(median(marks)),
        milliseconds(percentile(marks, 95)),
        '95 %: 50 ms',
      ],
      [
        'a comparison, one stream differs',
        milliseconds(median(comparison)),
        milliseconds(percentile(comparison, 95)),
        '1 s',
      ],
    ],
  );
  printTable('The claims of examples/team-chat', ['claim', 'time', 'searched', 'target'], searches);
}

async function timesToMarks(): Promise<readonly number[]> {
  for (const one of bundles) if (one.out === 'server.js') await writeBundle(one);
  const folder = temporaryFolder('bench-tests');
  const files = { 'sync.yaml': configOf(0), 'tables.sql': tables(), 'all.sync-test.yaml': testFile() };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
  const [config, uri] = [uriOf('sync.yaml'), uriOf('all.sync-test.yaml')];
  const server = spawn(process.execPath, [join(root, 'dist/server.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  try {
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions: { tests: 'shown' },
    });
    await connection.sendNotification('initialized', {});
    const open = (of: string, text: string) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: of, languageId: 'yaml', version: 0, text },
      });
    await open(config, configOf(0));
    await open(uri, testFile());
    await connection.sendRequest(runTestsRequest, { uri });
    const times: number[] = [];
    for (let version = 1; version <= keystrokes; version++) {
      const told = new Promise<void>((resolve) => {
        connection.onNotification(testsChangedNotification, () => resolve());
      });
      const start = performance.now();
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: config, version },
        contentChanges: [{ text: configOf(version) }],
      });
      await told;
      const run = await connection.sendRequest<RunTestsResult>(runTestsRequest, { uri });
      times.push(performance.now() - start);
      const failed = run?.results.filter(({ failures }) => failures.length > 0).length;
      if (run?.results.length !== tests || failed !== 0) throw new Error('The tests were not run, or fail.');
    }
    return times;
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

async function timesOfClaims(): Promise<readonly (readonly string[])[]> {
  const read = (name: string) => readFileSync(join(root, 'examples/team-chat', name), 'utf8');
  const known = readSqlFiles([{ path: 'schema.sql', text: read('schema.sql') }]);
  const prepared = prepareTests(readTests(read('team-chat.sync-test.yaml')), {
    analysis: analyze(read('sync.yaml'), { ...known, kind: 'sync' }),
    known,
    subjectOf: toTestSubject,
    seeds: noSeeds,
  });
  const { subject, file, seeds } = prepared;
  if (subject === undefined) throw new Error('The example cannot be run.');
  const { judge, close } = await openJudge();
  const claims = openClaims({ ...prepared, subject }, judge);
  runTests(file, subject, { seeds, observe: claims.observe });
  const rows = file.always.map((claim) => {
    const start = performance.now();
    const { note = 'fails' } = finish(claims.resultOf(claim, { isTimeUp: () => false }));
    return [claim.name.value, milliseconds(performance.now() - start), note, '2 s'];
  });
  close();
  return rows;
}

function parsed(text: string): Config {
  const { config } = analyze(text, { kind: 'sync' });
  if (config === undefined) throw new Error('This is no config.');
  return config;
}

/** One stream is another one with each round. */
function configOf(round: number): string {
  const all = Array.from({ length: streams }, (_, index) =>
    [
      `  s${index}:`,
      '    auto_subscribe: true',
      '    query: |',
      `      SELECT id, name FROM items_${index % 20} WHERE kind = '${index === 50 ? `k${round}` : index}'`,
      '        AND id IN (SELECT item_id FROM shares WHERE user_id = auth.user_id())',
      '',
    ].join('\n'),
  );
  return `config:\n  edition: 3\nstreams:\n${all.join('')}`;
}

function tables(): string {
  const items = Array.from(
    { length: 20 },
    (_, index) => `CREATE TABLE items_${index} (id text PRIMARY KEY, name text, kind text);`,
  );
  return [...items, 'CREATE TABLE shares (id text PRIMARY KEY, item_id text, user_id text);'].join('\n');
}

function testFile(): string {
  const all = Array.from({ length: tests }, (_, index) => {
    const table = `items_${index % 20}`;
    return [
      `  - name: test ${index}`,
      `    rows: { ${table}: [{ id: i${index}, name: x, kind: '${index % streams}' }], shares: [{ id: t${index}, item_id: i${index}, user_id: u1 }] }`,
      `    expect: { ada: { ${table}: { includes: [${index % streams === 50 ? '' : `i${index}`}] } }, eve: nothing }`,
    ].join('\n');
  });
  return `config: sync.yaml\nusers:\n  ada: { id: u1 }\n  eve: { id: u2 }\ntests:\n${all.join('\n')}\n`;
}
