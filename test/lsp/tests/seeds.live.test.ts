/** The server as it is shipped runs the SQL files of access tests in a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection } from 'vscode-languageserver';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type RunTestsResult, runTestsRequest } from '../../../server/protocol.ts';
import { uriOfPath } from '../../../server/shared/uri.ts';
import { roomsTables, roomsTests } from '../../support/editor/testFiles.ts';
import { roomsConfig } from '../../support/engine/accessTests.ts';
import { root } from '../../support/house/imports.ts';

let folder: string;
let server: ChildProcess;
let connection: MessageConnection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-editor-'));
  mkdirSync(join(folder, 'migrations'));
  writeFileSync(join(folder, 'migrations/1.sql'), roomsTables);
  writeFileSync(join(folder, 'sync.yaml'), roomsConfig);
  server = spawn(process.execPath, [join(root, 'dist/server.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (server.stdout === null || server.stdin === null) throw new Error('There are no streams.');
  connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
});

afterEach(async () => {
  connection.dispose();
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const uriOf = (name: string) => uriOfPath(join(folder, name), process.platform).text;

test('The tests use the rows that the database computes', async () => {
  writeFileSync(
    join(folder, 'seed.sql'),
    "INSERT INTO rooms SELECT 'r' || n, lower('ACME') FROM generate_series(2, 4) AS n;",
  );
  writeFileSync(
    join(folder, 'rooms.sync-test.yaml'),
    roomsTests.replace('rows:\n', 'rows:\n  from: seed.sql\n'),
  );
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: uriOf(''), name: 'w' }],
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  const result = await connection.sendRequest<RunTestsResult>(runTestsRequest, {
    uri: uriOf('rooms.sync-test.yaml'),
  });
  expect(result?.results[0]?.failures[0]).toMatchObject({ expected: '[r1]', actual: '[r1, r2, r3, r4]' });
});
