/** A copy beside an active deployment whose stream is behind the pages of the copy. */
import { afterEach, expect, test } from 'vitest';
import type { LogPosition } from '../../../../server/service/ground/logPosition.ts';
import type { TableInfo } from '../../../../server/service/replication/source.ts';
import type { Storage } from '../../../../server/service/storage/storage.ts';
import { createReplicating, type Replicating } from '../../../support/service/replication.ts';

const streamOf = (name: string, query: string) =>
  `  ${name}:\n    auto_subscribe: true\n    query: ${query}\n`;
const mine = streamOf('mine', 'SELECT id, owner, note FROM todos WHERE owner = auth.user_id()');
const done = streamOf('done', "SELECT id, note FROM todos AS finished WHERE done = 'y'");
const notes = streamOf('notes', 'SELECT id, text FROM notes');
const configOf = (...streams: readonly string[]) => `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
const large = (letter: string) => letter.repeat(400);

let replicating: Replicating | undefined;
afterEach(async () => {
  await replicating?.stop();
});

async function begin(
  notesTable: Partial<TableInfo> = {},
  through: (storage: Storage) => Storage = (storage) => storage,
): Promise<Replicating> {
  const opened = createReplicating({ through });
  replicating = opened;
  const { source, deployer, start, reach } = opened;
  source.createTable({ name: 'todos' });
  source.createTable({ name: 'notes', ...notesTable });
  source.commit((t) => {
    for (const n of [0, 1, 2, 3, 4])
      t.insert('todos', { id: `t${n}`, owner: 'ada', done: 'n', note: large('a') });
    for (const n of [0, 1, 2, 3, 4]) t.insert('notes', { id: `n${n}`, text: large('a') });
  });
  await deployer.deploy(configOf(mine));
  start();
  await reach();
  return opened;
}

/** Whether all pages of the copy are stored. */
function isCopied({ replicator }: Replicating): boolean {
  return replicator
    .status()
    .some(({ deployment, progress }) => deployment === 2 && progress.phase === 'streaming');
}

/** Makes the change while the second page is read, and holds the stream back from then on. */
function whileRead({ source }: Replicating, change: () => void): void {
  let isChanged = false;
  let position: LogPosition | undefined;
  void source.position().then((found) => {
    position = found;
  });
  source.onPage = () => {
    if (isChanged) return;
    isChanged = true;
    source.tellUpTo(position);
    change();
  };
}

test('the copy takes over only once the stream has reached the position at which the last page was read', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, buckets, reach } = opened;
  const content = configOf(mine, done);
  let early: LogPosition | undefined;
  whileRead(opened, () => {
    early = source.commit((t) => t.update('todos', 't0', { done: 'y' }));
    source.commit((t) => t.update('todos', 't4', { done: 'y' }));
  });
  await deployer.deploy(content);
  await until(() => isCopied(opened), 'all pages to be stored');
  source.tellUpTo(early);
  await reach(early);
  expect(deployment(1).content).toBe(configOf(mine));
  source.tellUpTo(undefined);
  await until(() => deployment(1).content === content, 'it to be active');
  expect(Object.keys(buckets())).toEqual(['1#mine|0["ada"]', '1.2#done|0[]']);
  expect(buckets()['1.2#done|0[]']).toHaveLength(2);
});

test('a large value that the stream has not reached yet is not served', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, buckets, reach } = opened;
  let early: LogPosition | undefined;
  whileRead(opened, () => {
    early = source.commit((t) => t.update('todos', 't4', { owner: 'ben' }));
    source.commit((t) => t.update('todos', 't4', { note: large('b'), done: 'y' }));
  });
  await deployer.deploy(configOf(mine, done));
  await until(() => isCopied(opened), 'all pages to be stored');
  source.tellUpTo(early);
  await reach(early);
  expect(buckets()['1#mine|0["ben"]']).toEqual([
    JSON.stringify({ id: 't4', owner: 'ben', note: large('a') }),
  ]);
  source.tellUpTo(undefined);
  await until(() => deployment(1).content === configOf(mine, done), 'it to be active');
  expect(buckets()['1#mine|0["ben"]']).toEqual([
    JSON.stringify({ id: 't4', owner: 'ben', note: large('b') }),
  ]);
});

test('rows of a table that is emptied during the copy are not served', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, buckets } = opened;
  source.onPage = () => {
    source.onPage = () => {};
    source.commit((t) => t.truncate('todos'));
  };
  await deployer.deploy(configOf(mine, done.replace("WHERE done = 'y'", '')));
  await until(() => deployment(1).content !== configOf(mine), 'it to be active');
  expect(buckets()).toEqual({});
});

test('a table that only the added streams read is followed from the start, including values that updates leave out', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, buckets } = opened;
  whileRead(opened, () => {
    source.commit((t) => t.update('notes', 'n4', { kind: 'changed' }));
    source.commit((t) => t.update('notes', 'n0', { id: 'n9' }));
    source.commit((t) => t.remove('notes', 'n1'));
  });
  await deployer.deploy(configOf(mine, notes));
  await until(() => isCopied(opened), 'all pages to be stored');
  source.tellUpTo(undefined);
  await until(() => deployment(1).content === configOf(mine, notes), 'it to be active');
  const ids = (buckets()['1.2#notes|0[]'] ?? []).map(
    (text) => JSON.parse(text) as { id: string; text: string },
  );
  expect(ids.map(({ id }) => id)).toEqual(['n2', 'n3', 'n4', 'n9']);
  expect(ids.every(({ text }) => text === large('a'))).toBe(true);
});

test('rows that were stored for a config that was given up are not taken for current rows', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, buckets, stop, start, reach } = opened;
  whileRead(opened, () => {});
  await deployer.deploy(configOf(mine, notes));
  await until(() => isCopied(opened), 'all pages to be stored');
  await deployer.deploy(configOf(mine));
  await stop();
  source.tellUpTo(undefined);
  start();
  // The stream does not follow the table meanwhile.
  source.commit((t) => {
    t.remove('notes', 'n0');
    t.update('notes', 'n1', { text: large('b') });
  });
  await source.mark();
  await reach();
  await deployer.deploy(configOf(mine, notes));
  await until(() => deployment(1).content === configOf(mine, notes), 'it to be active');
  source.commit((t) => t.update('notes', 'n1', { kind: 'changed' }));
  await reach();
  const { '1.3#notes|0[]': rows = [] } = buckets();
  const shown = rows.map((text) => JSON.parse(text) as { id: string; text: string });
  expect(shown.map(({ id, text }) => id + text[0])).toEqual(['n1b', 'n2a', 'n3a', 'n4a']);
});

test('in a table that only the added streams read, a row takes no value from another row that has its former key', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until } = opened;
  whileRead(opened, () => {
    source.commit((t) => t.update('notes', 'n3', { id: 'n9' }));
    source.commit((t) => t.insert('notes', { id: 'n3', text: large('z') }));
  });
  await deployer.deploy(configOf(mine, notes));
  await until(() => isCopied(opened), 'all pages to be stored');
  source.tellUpTo(undefined);
  await until(() => deployment(1).content === configOf(mine, notes), 'it to be active');
  expect(notesIn(opened)).toEqual(['n0a', 'n1a', 'n2a', 'n3z', 'n4a', 'n9a']);
});

test('all tables are copied if a value of a row is unknown and cannot be read again', async () => {
  // Rows cannot be read again by a key of this type.
  const opened = await begin({ identity: [{ name: 'id', type: 'bpchar' }] });
  const { source, deployer, deployment, until } = opened;
  source.commit((t) => {
    for (let n = 10; n < 60; n += 1) t.insert('notes', { id: `n${n}`, text: large('a') });
  });
  // The stream reports this change long before the last page, which leaves out the rows that the stream has changed.
  source.onPage = () => {
    source.onPage = () => {};
    source.commit((t) => t.update('notes', 'n4', { id: 'n9' }));
  };
  await deployer.deploy(configOf(mine, notes));
  await until(() => deployment(2)?.state === 'active', 'a copy of all tables to be active');
  expect(notesIn(opened)).toContain('n9a');
});

test('a row that was read again is not served before the stream has reached the position of that read', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, reach } = opened;
  whileRead(opened, () => {
    source.commit((t) => t.update('notes', 'n3', { id: 'n9' }));
  });
  await deployer.deploy(configOf(mine, notes));
  await until(() => isCopied(opened), 'all pages to be stored');
  const copied = await source.position();
  const later = source.commit((t) => {
    t.update('notes', 'n9', { text: large('b') });
    t.update('notes', 'n1', { text: large('b') });
  });
  source.tellUpTo(copied);
  await reach(copied);
  expect(deployment(1).content).toBe(configOf(mine));
  source.tellUpTo(undefined);
  await reach(later);
  await until(() => deployment(1).content === configOf(mine, notes), 'it to be active');
  expect(notesIn(opened)).toEqual(['n0a', 'n1b', 'n2a', 'n4a', 'n9b']);
});

test('a deploy that copies restarts the reading of the log once, and a deploy that copies nothing does not', async () => {
  const opened = await begin();
  const { source, storage, deployer, deployment, until, buckets } = opened;
  const count = () => source.readings;
  const isServed = (content: string) =>
    until(() => deployment(1).content === content && deployment(1).hasRest !== true, 'it to be served alone');
  const commented = `# A comment\n${configOf(mine)}`;
  const first = count();
  await deployer.deploy(commented);
  await isServed(commented);
  expect(count()).toBe(first);

  await deployer.deploy(configOf(mine, notes));
  await isServed(configOf(mine, notes));
  expect(count()).toBe(first + 1);

  // The replaced parts are also deleted.
  const other = notes.replace('id, text', 'text, id');
  await deployer.deploy(configOf(mine, other));
  await isServed(configOf(mine, other));
  expect(count()).toBe(first + 2);
  source.commit((t) => t.update('notes', 'n1', { text: large('b') }));
  await opened.reach();
  expect(notesIn(opened).toSorted()).toEqual(['n0a', 'n1b', 'n2a', 'n3a', 'n4a']);
  expect(Object.keys(buckets()).filter((name) => name.includes('#notes|'))).toHaveLength(1);
  const stored = await storage.stored(1).tables();
  expect(stored.map(({ name, copied, beside }) => [name, copied, beside])).toEqual([
    ['todos', true, undefined],
    ['notes', true, undefined],
  ]);
});

test('the active config keeps replicating while the source looks up the tables of a deploy', async () => {
  const opened = await begin();
  const { source, deployer, deployment, until, reach } = opened;
  const { tables } = source;
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    source.tables = async (patterns) => {
      if (patterns.every(({ name }) => name.text !== 'notes')) return tables(patterns);
      source.tables = tables;
      resolve();
      await new Promise<void>((open) => {
        answer = open;
      });
      return tables(patterns);
    };
  });
  await deployer.deploy(configOf(mine, notes));
  await asked;
  await reach(source.commit((t) => t.update('todos', 't0', { owner: 'ben' })));
  // The change concerns rows that are still to be copied, so the copy reads it.
  await reach(source.commit((t) => t.update('notes', 'n1', { text: large('b') })));
  expect(deployment(1).content).toBe(configOf(mine));
  answer();
  await until(() => deployment(1).content === configOf(mine, notes), 'it to be active');
  expect(notesIn(opened)).toEqual(['n0a', 'n1b', 'n2a', 'n3a', 'n4a']);
});

test('outdated rows of a table are deleted in pieces before the table is copied', async () => {
  const seen: boolean[] = [];
  let late: LogPosition | undefined;
  const opened = await begin({}, (storage) => ({
    ...storage,
    deployments: storage.deployments,
    writer: async (id) => {
      const writer = await storage.writer(id);
      if (writer === undefined) return undefined;
      return {
        ...writer,
        someRows: async (table, most) => {
          late ??= opened.source.commit((t) => t.update('todos', 't0', { owner: 'ben' }));
          seen.push((opened.deployment(1).lastCheckpointPosition ?? '') >= late);
          // The limit makes the table look large.
          return writer.someRows(table, Math.min(most, 1));
        },
      };
    },
  }));
  const { source, deployer, deployment, until } = opened;
  whileRead(opened, () => {});
  await deployer.deploy(configOf(mine, notes));
  await until(() => isCopied(opened), 'all pages to be stored');
  await deployer.deploy(configOf(mine));
  const others = notes.replace('id, text', 'text, id');
  await deployer.deploy(configOf(mine, others));
  source.tellUpTo(undefined);
  // The stored row is useless for the copy, which reads the rows of the source.
  source.commit((t) => t.remove('notes', 'n0'));
  const isServedAlone = () =>
    deployment(1).content === configOf(mine, others) && deployment(1).hasRest !== true;
  await until(isServedAlone, 'it to be active, and the rest to be deleted');
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.slice(0, 5)).toContain(true);
  expect(notesIn(opened).toSorted()).toEqual(['n1a', 'n2a', 'n3a', 'n4a']);
});

/** Returns the served notes: the id of each, with the first letter of its text. */
function notesIn({ buckets }: Replicating): readonly string[] {
  const [, rows = []] = Object.entries(buckets()).find(([name]) => name.includes('#notes|')) ?? [];
  const shown = rows.map((text) => JSON.parse(text) as { readonly id: string; readonly text: string });
  return shown.map(({ id, text }) => id + text[0]);
}
