/** An app that moves between two services of the same source. */
import { expect, onTestFinished, test } from 'vitest';
import type { Row } from '../../../server/engine/plan/evaluate/scope.ts';
import { openApp, type Upload } from '../../support/clients/sdk.ts';
import { ownLists, startSyncing } from '../../support/clients/syncing.ts';
import type { MemoryTransaction } from '../../support/service/memorySource.ts';

/** Starts two services with separate storages. The first service has the longer history. */
async function startTwo() {
  const first = await startSyncing({ config: ownLists });
  for (let n = 0; n < 50; n += 1) {
    first.source.commit((t) => t.put('lists', 'l1', { id: 'l1', owner: 'user1', name: `version ${n}` }));
  }
  const second = await startSyncing({ config: ownLists });
  const commit = (change: (transaction: MemoryTransaction) => void) => {
    for (const { source } of [first, second]) source.commit(change);
  };
  commit((t) => t.put('lists', 'l1', { id: 'l1', owner: 'user1', name: 'one' }));
  return { first, second, commit };
}

test('an app keeps its rows and gets changes while it moves to the other service and back', async () => {
  const { first, second, commit } = await startTwo();
  const app = await openApp({ port: first.server.port });
  await app.until('SELECT name FROM lists', [{ name: 'one' }]);
  const seen = new Set<string>();
  const look = async () =>
    void seen.add(JSON.stringify(await app.rows("SELECT id FROM lists WHERE id = 'l1'")));
  const unwatch = app.database.onChange({ onChange: look }, { tables: ['lists'], throttleMs: 0 });
  onTestFinished(unwatch);
  let name = 'one';
  for (const [index, { server }] of [second, first, second].entries()) {
    await app.moveTo(server.port);
    const before = name;
    name = `in service ${index}`;
    commit((t) => t.put('lists', 'l1', { id: 'l1', owner: 'user1', name }));
    commit((t) => t.put('lists', `m${index}`, { id: `m${index}`, owner: 'user1', name: before }));
    await app.until(`SELECT name FROM lists WHERE id IN ('l1', 'm${index}') ORDER BY id`, [
      { name },
      { name: before },
    ]);
    commit((t) => t.remove('lists', `m${index}`));
    await app.until('SELECT name FROM lists', [{ name }]);
  }
  expect([...seen]).toEqual(['[{"id":"l1"}]']);
});

test('an app shows no new rows until its next write if the former service did not confirm the last write', async () => {
  const { first, second, commit } = await startTwo();
  const upload = async (changes: readonly Upload[]) => {
    for (const { id, opData } of changes) commit((t) => t.put('lists', id, { id, ...opData } as Row));
  };
  const app = await openApp({ port: first.server.port, upload });
  await app.until('SELECT name FROM lists', [{ name: 'one' }]);
  await first.replicating.stop();
  const write = (id: string) =>
    app.database.execute(`INSERT INTO lists (id, owner, name) VALUES ('${id}', 'user1', 'of the app')`);
  await write('l2');
  await expect.poll(async () => (await app.database.getUploadQueueStats()).count).toBe(0);
  await app.moveTo(second.server.port);
  commit((t) => t.put('lists', 'l3', { id: 'l3', owner: 'user1', name: 'of others' }));
  const another = await openApp({ port: second.server.port });
  await another.until('SELECT id FROM lists ORDER BY id', [{ id: 'l1' }, { id: 'l2' }, { id: 'l3' }]);
  expect(await app.rows('SELECT id FROM lists ORDER BY id')).toEqual([{ id: 'l1' }, { id: 'l2' }]);
  await write('l4');
  await app.until('SELECT id FROM lists ORDER BY id', [
    { id: 'l1' },
    { id: 'l2' },
    { id: 'l3' },
    { id: 'l4' },
  ]);
});
