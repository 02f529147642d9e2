/** A source, or something between it and us, that sends an unreadable message. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { failureOf, follow, openDatabase } from './support.ts';

const marker = Buffer.from('garble me');

describe.skipIf(postgresPrograms.kind === 'missing')('a message of the log that was garbled', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test('ends the stream with a code, and the next one reads the row as it is', async () => {
    const between = await garblingProxy(postgres.port);
    const database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY, v text)', {
      port: between.port,
    });
    onTestFinished(() => database.close());
    const stream = database.stream();
    await stream.prepare(new AbortController().signal);
    const first = follow(database.source, stream, false);
    await database.sql(`INSERT INTO t VALUES (1, '${marker}')`);
    const failure = await failureOf(first.settled());
    expect(failure).toMatchObject({
      code: 'SVC_S1101',
      message: expect.stringMatching(/another number of values \(3\) than the table has columns \(2\)/),
    });
    expect(between.garbled).toBe(1);
    expect(first.events.filter(({ kind }) => kind === 'insert')).toEqual([]);

    const second = follow(database.source, stream);
    const events = await second.settled();
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'insert', row: { values: { id: 1n, v: String(marker) } } }),
    );
    await second.stop();
    await stream.close();
  });
});

/** Passes everything on, but for the first row with the marker, which gets another number of values. */
async function garblingProxy(port: number) {
  const state = { garbled: 0 };
  const server = createServer((client) => {
    const source = connect(port, '127.0.0.1');
    client.pipe(source);
    // The table is described before its row, which may come in a later piece.
    let isLog = false;
    source.on('data', (bytes) => {
      isLog ||= bytes.includes('public\0t\0');
      if (isLog && state.garbled === 0 && bytes.includes(marker)) garble(bytes);
      client.write(bytes);
    });
    source.on('close', () => client.destroy());
    client.on('close', () => source.destroy());
    for (const socket of [client, source]) socket.on('error', () => socket.destroy());
  });
  const garble = (bytes: Buffer): void => {
    const at = bytes.lastIndexOf(Buffer.from('N\0\u0002t', 'latin1'), bytes.indexOf(marker));
    bytes[at + 2] = 3;
    state.garbled += 1;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    port: (server.address() as AddressInfo).port,
    get garbled() {
      return state.garbled;
    },
  };
}
