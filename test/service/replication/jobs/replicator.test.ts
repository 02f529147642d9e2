import { afterEach, describe, expect, test } from 'vitest';
import { firstPosition, type LogPosition } from '../../../../server/service/ground/logPosition.ts';
import { lagOf } from '../../../../server/service/replication/jobs/progress.ts';
import { SourceFailure } from '../../../../server/service/replication/source.ts';
import { heardAfter, type StorageLink } from '../../../../server/service/storage/link.ts';
import type { ReplicationWriter, Storage } from '../../../../server/service/storage/storage.ts';
import { StorageFailure } from '../../../../server/service/storage/storageFailure.ts';
import {
  createReplicating,
  type Replicating,
  type ReplicatingOptions,
} from '../../../support/service/replication.ts';
import { turns } from '../../../support/service/sourceHistories.ts';
import { columnIds } from '../../../support/service/sourceIds.ts';

const config = `config:
  edition: 3
streams:
  mine:
    auto_subscribe: true
    query: SELECT id, title, body FROM todos WHERE owner = auth.user_id()
`;
const other = config.replace('mine', 'own').replace('title, body', 'title');

let all: Replicating[] = [];

afterEach(async () => {
  for (const each of all) await each.stop();
  all = [];
});

async function begin(options: ReplicatingOptions = {}): Promise<Replicating> {
  const replicating = createReplicating(options);
  all.push(replicating);
  const { source } = replicating;
  source.createTable({ name: 'todos' });
  source.commit((transaction) => {
    for (let i = 0; i < 8; i += 1)
      transaction.insert('todos', { id: `t${i}`, title: `title ${i}`, owner: `u${i % 2}` });
  });
  await replicating.deployer.deploy(config);
  return replicating;
}

async function beginAndReach(options: ReplicatingOptions = {}): Promise<Replicating> {
  const replicating = await begin(options);
  replicating.start();
  await replicating.reach();
  return replicating;
}

describe('a deployment', () => {
  test('is active with all rows once the stream has passed the copy', async () => {
    const { buckets, deployment, storage } = await beginAndReach();
    expect(deployment(1)).toMatchObject({ state: 'active', snapshotDone: true });
    expect(Object.keys(buckets())).toEqual(['1#mine|0["u0"]', '1#mine|0["u1"]']);
    expect(buckets()['1#mine|0["u1"]']).toEqual([
      '{"id":"t1","title":"title 1"}',
      '{"id":"t3","title":"title 3"}',
      '{"id":"t5","title":"title 5"}',
      '{"id":"t7","title":"title 7"}',
    ]);
    expect(storage.currentRowsAsked).toBe(0);
  });

  test('follows inserts, updates, moves to other buckets, key changes, deletes and truncation', async () => {
    const { source, reach, buckets } = await beginAndReach();
    source.commit((t) => {
      t.insert('todos', { id: 'n', title: 'new', owner: 'u2' });
      t.update('todos', 't1', { title: 'changed' });
      t.update('todos', 't3', { owner: 'u2' });
      t.update('todos', 't5', { id: 'k5' });
      t.remove('todos', 't7');
    });
    await reach();
    expect(buckets()['1#mine|0["u1"]']).toEqual([
      '{"id":"k5","title":"title 5"}',
      '{"id":"t1","title":"changed"}',
    ]);
    expect(buckets()['1#mine|0["u2"]']).toEqual([
      '{"id":"n","title":"new"}',
      '{"id":"t3","title":"title 3"}',
    ]);
    source.commit((t) => t.truncate('todos'));
    await reach();
    expect(buckets()).toEqual({});
  });

  test('has correct rows even if they changed while they were copied', async () => {
    const replicating = await begin();
    const { source, start, reach, buckets } = replicating;
    source.onPage = () => {
      source.onPage = () => {};
      source.commit((t) => {
        t.update('todos', 't0', { title: 'after its page' });
        t.remove('todos', 't2');
        t.update('todos', 't7', { owner: 'u0' });
        t.insert('todos', { id: 'a', title: 'before the page', owner: 'u0' });
      });
    };
    start();
    await reach();
    expect(buckets()['1#mine|0["u0"]']).toEqual([
      '{"id":"a","title":"before the page"}',
      '{"id":"t0","title":"after its page"}',
      '{"id":"t4","title":"title 4"}',
      '{"id":"t6","title":"title 6"}',
      '{"id":"t7","title":"title 7"}',
    ]);
  });

  test('makes copied rows durable when many bytes are stored', async () => {
    const writes: [number, boolean | undefined][] = [];
    const recordWrites = (storage: Storage): Storage => ({
      ...storage,
      writer: async (id) => {
        const writer = await storage.writer(id);
        const write: ReplicationWriter['write'] = (batch) => {
          if (batch.rows.length > 0) writes.push([batch.rows.length, batch.goesOn]);
          return writer?.write(batch) as ReturnType<ReplicationWriter['write']>;
        };
        return writer && { ...writer, write };
      },
    });
    const { source, start, reach } = await begin({ pageSize: 1, through: recordWrites });
    const body = 'x'.repeat(9_000_000);
    source.commit((t) => {
      for (let i = 0; i < 8; i += 1) t.remove('todos', `t${i}`);
      for (const id of ['a', 'b', 'c']) t.insert('todos', { id, owner: 'u1', body });
    });
    start();
    await reach();
    expect(writes.slice(0, 3)).toEqual([
      [1, true],
      [1, false],
      [1, true],
    ]);
  });

  test('continues its copy with the page after the last stored one', async () => {
    const { source, start, reach, log, storage, until } = await begin();
    let pages = 0;
    source.onPage = () => {
      pages += 1;
      if (pages === 2) source.outage = new SourceFailure('closed', 'SVC_S1121', 'gone');
    };
    start();
    await until(() => log.some(({ message }) => message === 'gone'), 'the failure');
    source.outage = undefined;
    await reach();
    const copied = storage.ops(1).map(({ op, id }) => `${op} ${id}`);
    expect(copied).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((i) => `PUT t${i}`));
  });
});

describe('a slot', () => {
  const reason = 'Transactions are open.';

  test('whose creation has to wait for others is reported in the log and in the status', async () => {
    const { source, start, until, log, replicator, reach } = await begin();
    let end = () => {};
    source.beforeSlot = async ({ onWaiting }) => {
      onWaiting(reason);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      onWaiting(undefined);
    };
    start();
    const waitingFor = () => replicator.status()[0]?.progress.waitingFor;
    await until(() => waitingFor() === reason, 'the reason');
    const facts = { slot: 'test_1_a1b2' };
    expect(log).toContainEqual({ level: 'warn', message: reason, facts });
    end();
    await reach();
    expect(waitingFor()).toBeUndefined();
  });

  test('that is being created is given up when the replicator stops', async () => {
    const { source, start, until, stop } = await begin();
    let isBegun = false;
    source.beforeSlot = (_, signal) =>
      new Promise((_resolve, reject) => {
        isBegun = true;
        signal.addEventListener('abort', () => reject(new SourceFailure('closed', 'SVC_S1103', 'given up')));
      });
    start();
    await until(() => isBegun, 'the slot to be begun');
    await stop();
    expect(source.slots.size).toBe(0);
  });

  const positionAtCopy = async ({ source, start, reach }: Replicating) => {
    let position = '';
    source.onPage = () => {
      position ||= source.slots.get('test_1_a1b2')?.confirmed ?? '';
    };
    start();
    await reach();
    return position;
  };

  test('without any copied rows is replaced, because the storage may be older than the rows of clients', async () => {
    const replicating = await begin();
    const { source, start, reach, deployment, buckets } = replicating;
    source.slots.set('test_1_a1b2', { confirmed: await source.position(), active: false });
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u0' }));
    start();
    await reach();
    expect(deployment(2)).toMatchObject({
      state: 'active',
      reason: expect.stringContaining('[SVC_S1500] Nothing is stored'),
    });
    expect(buckets()['2#mine|0["u0"]']).toContain('{"id":"n","title":"new"}');
  });

  test('with a partly copied table is kept', async () => {
    const replicating = await begin();
    const { source, start, until, log, stop } = replicating;
    const first = await source.position();
    source.onPage = () => {
      source.outage = new SourceFailure('closed', 'SVC_S1121', 'gone');
    };
    start();
    await until(() => log.some(({ message }) => message === 'gone'), 'the failure');
    await stop();
    source.outage = undefined;
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u0' }));
    expect(await positionAtCopy(replicating)).toBe(first);
  });
});

describe('values that an update leaves out', () => {
  const large = 'x'.repeat(400);

  test('are taken from the stored row', async () => {
    const { source, reach, buckets } = await beginAndReach();
    source.commit((t) => t.insert('todos', { id: 'l', title: 'one', owner: 'u9', body: large }));
    source.commit((t) => t.update('todos', 'l', { title: 'two' }));
    await reach();
    expect(buckets()['1#mine|0["u9"]']).toEqual([`{"id":"l","title":"two","body":"${large}"}`]);
  });

  test('are not taken from another row that has received the key meanwhile', async () => {
    const { source, start, reach, buckets } = await begin();
    source.commit((t) => t.insert('todos', { id: 'x', title: 'moves', owner: 'u9', body: large }));
    source.onPage = () => {
      source.onPage = () => {};
      source.commit((t) => {
        t.update('todos', 'x', { id: 'y' });
        t.insert('todos', { id: 'x', title: 'comes', owner: 'u9', body: large.toUpperCase() });
      });
    };
    start();
    await reach();
    await reach();
    const titles = { moves: large, comes: large.toUpperCase() };
    const rows = (buckets()['1#mine|0["u9"]'] ?? []).map((row) => JSON.parse(row));
    expect(Object.fromEntries(rows.map(({ title, body }) => [title, body]))).toEqual(titles);
  });

  test('are read again if they are not stored, and only then published', async () => {
    const { source, reach, buckets, storage } = await beginAndReach({ largeFrom: 100 });
    const small = 'y'.repeat(120);
    source.commit((t) => t.insert('todos', { id: 'l', title: 'one', owner: 'u9', body: small }));
    await reach();
    source.commit((t) => t.update('todos', 'l', { title: 'two' }));
    await reach();
    await reach();
    expect(buckets()['1#mine|0["u9"]']).toEqual([`{"id":"l","title":"two","body":"${small}"}`]);
    expect(storage.records[0]?.state).toBe('active');
  });

  test('are not published before the stream has reached the later state in which the row was read again', async () => {
    const { source, reach, until, storage, buckets, deployment } = await beginAndReach({ largeFrom: 100 });
    const body = 'y'.repeat(120);
    source.commit((t) => t.insert('todos', { id: 'l', title: 'one', owner: 'u9', body }));
    const { position } = await reach();
    source.tellUpTo(position);
    const change = source.commit((t) => t.update('todos', 'l', { title: 'two' }));
    const later = source.commit((t) => {
      t.update('todos', 'l', { title: 'three' });
      t.update('todos', 't0', { title: 'with three' });
    });
    source.tellUpTo(change);
    await until(() => storage.ops(1).some(({ data }) => data?.includes('"three"')), 'the row');
    await turns(20);
    expect(deployment(1).lastCheckpointPosition).toBe(position);
    // A mark lets the stream get past the position of the source, even if nothing else happens there.
    expect((await source.position()) > later).toBe(true);
    source.tellUpTo(undefined);
    await reach();
    expect(buckets()['1#mine|0["u9"]']).toEqual([`{"id":"l","title":"three","body":"${body}"}`]);
    expect(buckets()['1#mine|0["u0"]']?.[0]).toBe('{"id":"t0","title":"with three"}');
  });
});

describe('a new deployment', () => {
  test('is replicated beside the active one, takes over at once, and the old one is cleared', async () => {
    const { source, storage, reach, deployer, deployment, until, buckets } = await beginAndReach();
    const before = buckets();
    await deployer.deploy(other);
    expect(deployment(2)).toMatchObject({ state: 'processing', deploymentName: 'test_2_a1b2' });
    expect(buckets()).toEqual(before);
    await until(() => deployment(1).state === 'terminated', 'the old one to be cleared');
    await reach();
    expect(deployment(2).state).toBe('active');
    expect(Object.keys(buckets())).toEqual(['2#own|0["u0"]', '2#own|0["u1"]']);
    expect([...source.slots.keys()]).toEqual(['test_2_a1b2']);
    expect(storage.ops(1)).toEqual([]);
  });

  test('keeps the rows of the old one until every process has heard of the change', async () => {
    const link: StorageLink = { silence: () => 0, isLost: () => false, watch: () => () => {} };
    let replacedAt = 0;
    let clearedAt = 0;
    const { storage, clock, deployer, deployment, until } = await beginAndReach({
      through: (each) => ({
        ...each,
        link,
        clear: (...order) => {
          clearedAt = clock.now();
          return each.clear(...order);
        },
      }),
    });
    storage.watch(({ activated }) => {
      if (activated) replacedAt = clock.now();
    });
    await deployer.deploy(other);
    await until(() => deployment(1).state === 'terminated', 'the old one to be cleared');
    expect(replacedAt).toBeGreaterThan(0);
    expect(clearedAt - replacedAt).toBeGreaterThanOrEqual(heardAfter * 1000);
  });

  test('that is overtaken while it stores its first checkpoint does not move clients back', async () => {
    let overtake = async () => {};
    const { source, storage, deployer, deployment, until } = await beginAndReach({
      through: (each) => ({
        ...each,
        writer: async (id) => {
          const writer = await each.writer(id);
          const commit: ReplicationWriter['commit'] = async (position, options) => {
            if (id === 2 && position > firstPosition) await overtake();
            return writer?.commit(position, options) ?? { published: false };
          };
          return writer && { ...writer, commit };
        },
      }),
    });
    overtake = async () => {
      overtake = async () => {};
      const position = source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u2' }));
      await until(() => deployment(1).lastCheckpointPosition === position, 'the active one to be ahead');
    };
    const seen: LogPosition[] = [];
    storage.watch(({ checkpoint }) => seen.push(checkpoint.position));
    await deployer.deploy(other);
    await until(() => deployment(2).state === 'active', 'the new one to be active');
    expect(seen).toEqual([...seen].sort());
    expect(storage.contents(2, deployment(2).lastCheckpoint ?? 0).get('2#own|0["u2"]')?.size).toBe(1);
  });

  test('that is replaced before it is active leaves nothing behind', async () => {
    const { deployer, deployment, until, source } = await beginAndReach();
    await deployer.deploy(other);
    await deployer.deploy(config.replace('id, title', 'id'));
    await until(() => deployment(3).state === 'active', 'the last one to be active');
    await until(() => deployment(2).state === 'terminated', 'the replaced one to be cleared');
    await until(() => deployment(1).state === 'terminated', 'the old one to be cleared');
    expect([...source.slots.keys()]).toEqual(['test_3_a1b2']);
  });

  test('of the same meaning is active at once, without reading a row, creating a slot or writing an operation', async () => {
    const { source, storage, deployer, deployment, reach, buckets, records } = await beginAndReach();
    const before = { ops: [...storage.ops(1)], buckets: buckets(), slots: [...source.slots.keys()] };
    const notices: unknown[] = [];
    storage.watch((notice) => notices.push(notice));
    const again = `# Again\n${config.replace(' FROM todos WHERE', '\n      FROM todos\n      WHERE')}`;
    expect((await deployer.deploy(again)).id).toBe(1);
    expect(deployment(1)).toMatchObject({ state: 'active', content: again });
    // The former config is kept in a terminated record.
    expect(records().map(({ state, content }) => [state, content])).toContainEqual(['terminated', config]);
    expect({ ops: [...storage.ops(1)], buckets: buckets(), slots: [...source.slots.keys()] }).toEqual(before);
    expect(notices).toEqual([]);
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u2' }));
    await reach();
    expect(buckets()['1#mine|0["u2"]']).toEqual(['{"id":"n","title":"new"}']);
    expect(storage.ops(1)).toHaveLength(before.ops.length + 1);
  });

  test('of the active config ends a pending copy and is active at once', async () => {
    const { deployer, deployment, until, source, storage } = await beginAndReach();
    const before = [...storage.ops(1)];
    await deployer.deploy(other);
    expect((await deployer.deploy(`# Back\n${config}`)).id).toBe(1);
    expect(deployment(1)).toMatchObject({ state: 'active', content: `# Back\n${config}` });
    await until(() => deployment(2).state === 'terminated', 'the replaced one to be cleared');
    expect([...source.slots.keys()]).toEqual(['test_1_a1b2']);
    expect(storage.ops(1)).toEqual(before);
  });

  test('of the same meaning as a pending one continues its copy', async () => {
    const { deployer, deployment, until, records } = await beginAndReach();
    await deployer.deploy(other);
    expect((await deployer.deploy(`# Again\n${other}`)).id).toBe(2);
    await until(() => deployment(2).state === 'active', 'it to be active');
    expect(deployment(2).content).toBe(`# Again\n${other}`);
    expect(records().filter(({ state }) => state === 'processing')).toEqual([]);
  });

  test('of the same streams in another order finds the buckets that the streams share', async () => {
    const streams = ['mine', 'ours'].map(
      (name) =>
        `  ${name}:\n    auto_subscribe: true\n    query: SELECT id, title FROM todos WHERE owner = auth.user_id()\n`,
    );
    const head = 'config:\n  edition: 3\nstreams:\n';
    const { deployer, deployment, until, reach, source, buckets, stop, start } = await beginAndReach();
    await deployer.deploy(head + streams.join(''));
    await until(() => deployment(2).state === 'active', 'the new one to be active');
    expect((await deployer.deploy(head + streams.toReversed().join(''))).id).toBe(2);
    await stop();
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u2' }));
    start();
    await reach();
    expect(Object.keys(buckets())).toEqual(['2#mine|0["u0"]', '2#mine|0["u1"]', '2#mine|0["u2"]']);
  });

  test('whose rows are all stored is active at once with the existing buckets, and unneeded rows are kept up to date', async () => {
    const { deployer, deployment, until, reach, source, storage, buckets } = await beginAndReach();
    const whole = `${config}  all:\n    query: SELECT id FROM todos\n`;
    const renamed = config.replace('mine', 'yours');
    await deployer.deploy(whole);
    await until(() => deployment(1).content === whole, 'the whole to be active');
    const before = [...storage.ops(1)];
    const { storedTexts } = deployment(1);
    const notices: unknown[] = [];
    storage.watch(({ deployment, activated }) => activated && notices.push({ deployment, ...activated }));
    expect((await deployer.deploy(renamed)).id).toBe(1);
    expect(deployment(1)).toMatchObject({ state: 'active', content: renamed, storedTexts });
    expect(storage.ops(1)).toEqual(before);
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u2' }));
    await reach();
    expect(storage.ops(1)).toHaveLength(before.length + 2);
    // A return to the former config finds the rows that were written meanwhile.
    expect((await deployer.deploy(whole)).id).toBe(1);
    expect(notices).toEqual([
      { deployment: 1, revision: 2 },
      { deployment: 1, revision: 3 },
    ]);
    expect(buckets()['1.2#all|0[]']).toHaveLength(9);
    expect([...source.slots.keys()]).toEqual(['test_1_a1b2']);
  });

  describe('of a config that is partly stored', () => {
    const added = `${config}  all:\n    query: SELECT id FROM todos\n`;

    test('is previewed with the streams that differ from the active config', async () => {
      const { deployer } = await beginAndReach();
      const streamsOf = async (content: string) =>
        (await deployer.foresee(content)).streams.map(({ stream, change, isDownloaded }) =>
          [stream, change, ...(isDownloaded ? ['downloaded'] : [])].join(' '),
        );
      expect(await streamsOf(config)).toEqual(['mine untouched']);
      expect(await streamsOf(added)).toEqual(['mine untouched', 'all new downloaded']);
      expect(await streamsOf(config.replace('mine', 'yours'))).toEqual(['yours new', 'mine gone']);
      expect(await streamsOf(other)).toEqual(['own new downloaded', 'mine gone']);
      // This option may change every value.
      const option = 'edition: 3\n  timestamps_iso8601: false';
      expect(await streamsOf(added.replace('edition: 3', option))).toEqual([
        'mine rows downloaded',
        'all new downloaded',
      ]);
    });

    test('is copied beside the active one with the same slot, without reading or writing unchanged streams again', async () => {
      const { deployer, deployment, until, reach, source, storage, buckets } = await beginAndReach();
      source.createTable({ name: 'notes' });
      source.commit((t) => t.insert('notes', { id: 'n', text: 'x' }));
      await source.mark();
      await reach();
      const before = buckets();
      const [first] = storage.ops(1).slice(-1);
      const read: string[] = [];
      const pages = source.stream;
      source.stream = (settings) => {
        const stream = pages(settings);
        return {
          ...stream,
          copy: (table, ...rest) => {
            read.push(table.name);
            return stream.copy(table, ...rest);
          },
        };
      };
      const content = `${config}  notes:\n    query: SELECT id, text FROM notes\n`;
      expect(await deployer.deploy(content)).toMatchObject({ id: 2, base: 1, state: 'processing' });
      await until(() => deployment(1).content === content, 'it to be active');
      expect(read).toEqual(['notes']);
      expect(deployment(2)).toMatchObject({ state: 'terminated' });
      expect([...source.slots.keys()]).toEqual(['test_1_a1b2']);
      expect(buckets()).toEqual({ ...before, '1.2#notes|0[]': ['{"id":"n","text":"x"}'] });
      const written = storage.ops(1).filter(({ opId }) => opId > (first?.opId ?? 0));
      expect(written.map(({ bucket }) => bucket)).toEqual(['1.2#notes|0[]']);
    });

    test('that copies one stream again fills new buckets and deletes the former ones', async () => {
      const { deployer, deployment, until, storage, buckets, source } = await beginAndReach();
      await deployer.deploy(added);
      await until(() => deployment(1).content === added && !deployment(1).hasRest, 'it to be active');
      const before = buckets();
      await expect(deployer.reprocess(['nobody'])).rejects.toThrow(
        'The active sync config has no stream "nobody".',
      );
      const { id } = await deployer.reprocess(['all']);
      await until(() => deployment(id).state === 'terminated' && !deployment(1).hasRest, 'it to be active');
      const { '1.2#all|0[]': all, ...others } = before;
      expect(buckets()).toEqual({ ...others, [`1.${id}#all|0[]`]: all });
      expect(storage.ops(1).some(({ bucket }) => bucket.startsWith('1.2#'))).toBe(false);
      expect([...source.slots.keys()]).toEqual(['test_1_a1b2']);
    });

    test('keeps removed streams for a day and then deletes them', async () => {
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const { deployer, deployment, until, storage, replicator, source } = await beginAndReach({ now });
      source.createTable({ name: 'notes' });
      source.commit((t) => t.insert('notes', { id: 'n' }));
      const more = `${added}  notes:\n    query: SELECT id FROM notes\n`;
      await deployer.deploy(more);
      await until(() => deployment(1).content === more && !deployment(1).hasRest, 'it to be active');
      await deployer.deploy(config);
      const hasRows = () => storage.ops(1).some(({ bucket }) => bucket.startsWith('1.2#'));
      ahead = 23 * 3_600_000;
      replicator.wake();
      for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
      expect(hasRows()).toBe(true);
      ahead = 25 * 3_600_000;
      replicator.wake();
      await until(() => !hasRows() && !deployment(1).hasRest, 'nothing to be left');
      expect(await deployer.foresee(added)).toMatchObject({ outcome: 'copy' });
      expect((await storage.stored(1).tables()).map(({ name }) => name)).toEqual(['todos']);
    });

    test('loses nothing when unneeded rows are deleted, even if a bracket in a stream name hides where keys begin', async () => {
      const { deployer, deployment, until, storage, buckets, source } = await beginAndReach();
      await deployer.deploy(other.replace('own:', "'own[':"));
      await until(() => deployment(2).state === 'active', 'it to be active');
      const before = buckets();
      await storage.deployments.change(() => [{ kind: 'rest', id: 2, hasRest: true }]);
      // The next attempt deletes the unneeded rows.
      source.breakStreams(new SourceFailure('closed', 'SVC_S1121', 'gone'));
      await until(() => !deployment(2).hasRest, 'the rest to be cleared');
      expect(Object.keys(before)).toEqual(['2#own[|0["u0"]', '2#own[|0["u1"]']);
      expect(buckets()).toEqual(before);
    });

    test('is copied completely if rows cannot be distinguished', async () => {
      const { deployer, deployment, until, source, log } = await beginAndReach();
      source.createTable({ name: 'notes', identityKind: 'nothing', identity: [] });
      const content = `${config}  notes:\n    query: SELECT id, text FROM notes\n`;
      await deployer.deploy(content);
      await until(() => deployment(2).state === 'active', 'it to be active');
      expect(deployment(2).base).toBeUndefined();
      expect(log.map(({ message }) => message)).toContain(
        'Copying all tables again: rows of public.notes cannot be distinguished.',
      );
    });

    test('becomes a separate copy when the slot of the active one is lost', async () => {
      const { deployer, deployment, until, source } = await beginAndReach();
      let isLost = false;
      source.onPage = () => {
        if (!isLost) source.loseSlot('test_1_a1b2', 'wal_removed');
        isLost = true;
      };
      await deployer.deploy(added);
      await until(() => deployment(2).state === 'active', 'it to be active');
      expect(deployment(2).base).toBeUndefined();
      expect([...source.slots.keys()]).toEqual(['test_2_a1b2']);
    });

    test('does not disturb the active one when its rows cannot be read, and is retried', async () => {
      const { deployer, deployment, until, reach, source, replicator } = await beginAndReach();
      const streams = source.stream;
      let failures = 3;
      source.stream = (settings) => {
        const stream = streams(settings);
        return {
          ...stream,
          copy: (...asked) => {
            if (failures === 0) return stream.copy(...asked);
            failures -= 1;
            throw new SourceFailure('refused', 'SVC_S1141', 'it may not be read');
          },
        };
      };
      await deployer.deploy(added);
      await until(() => deployment(2).lastError !== undefined || failures === 0, 'a failure');
      source.commit((t) => t.insert('todos', { id: 'meanwhile', title: 'new', owner: 'u2' }));
      await reach();
      expect(replicator.status().find(({ deployment: id }) => id === 1)?.failures).toBe(0);
      await until(() => deployment(1).content === added, 'it to be active');
      expect(deployment(1).lastError).toBeUndefined();
    });
  });

  test('replaces an active one that an earlier release has not stored completely', async () => {
    const { storage, deployment, until, start } = await begin();
    const content = `${config}  all:\n    query: SELECT id FROM todos\n`;
    await until(() => deployment(1) !== undefined, 'the first one');
    start();
    await until(() => deployment(1).state === 'active', 'the first one to be active');
    // An earlier release would have treated the two texts as the same.
    await storage.deployments.change(() => [{ kind: 'content', id: 1, content, isSame: true, at: 1 }]);
    await all.at(-1)?.stop();
    start();
    await until(() => storage.records.at(-1)?.state === 'active', 'the new one to be active');
    expect(storage.records.at(-1)?.content).toBe(content);
    expect(storage.records.at(-1)?.reason).toMatch(/^This release/);
  });

  test('with errors is refused with the line and column of each error', async () => {
    const { deployer, storage } = await beginAndReach();
    await expect(deployer.deploy(config.replace('edition: 3', 'edition: 7'))).rejects.toMatchObject({
      code: 'SVC_R0001',
      details: expect.stringMatching(/^Line 2, column \d+: /),
    });
    expect(storage.records).toHaveLength(1);
  });

  test('whose content differs from the configured file is left to other processes', async () => {
    const { start, until, deployment, replicator } = await begin({ onlyPending: other });
    start();
    await until(() => replicator.status().length === 0, 'a look at the deployments');
    expect(deployment(1).state).toBe('processing');
  });

  test('has the storage version that its config chooses, or the default', async () => {
    const { deployer, deployment, until, records } = await begin();
    await deployer.deploy(config.replace('edition: 3', 'edition: 3\n  storage_version: 3'));
    await until(() => records().length === 2, 'the second one');
    expect([deployment(1).storageVersion, deployment(2).storageVersion]).toEqual([2, 3]);
  });

  test('with errors waits while the active one keeps replicating, and is replaced with a corrected one', async () => {
    const { source, deployer, reach, deployment, buckets } = await beginAndReach();
    await deployer.configureInvalid(`${config}  broken:\n    query: SELECT * FROM\n`);
    source.commit((t) => t.insert('todos', { id: 'n', title: 'new', owner: 'u2' }));
    await reach();
    expect(buckets()['1#mine|0["u2"]']).toHaveLength(1);
    expect([deployment(1).state, deployment(2).state]).toEqual(['active', 'processing']);
    await deployer.configure(other);
    expect(deployment(2).state).toBe('stopped');
  });
});

describe('when the source fails', () => {
  test('the failure is stored, and cleared when replication continues', async () => {
    const { source, reach, deployment, until, log, buckets } = await beginAndReach();
    source.outage = new SourceFailure('unreachable', 'SVC_S1121', 'The database does not answer.');
    source.breakStreams(source.outage);
    await until(() => deployment(1).lastError !== undefined, 'the failure to be stored');
    expect(deployment(1)).toMatchObject({
      state: 'active',
      lastError: { message: 'The database does not answer.' },
    });
    source.outage = undefined;
    source.commit((t) => t.insert('todos', { id: 'n', title: 'later', owner: 'u5' }));
    await reach();
    await until(() => deployment(1).lastError === undefined, 'the failure to be forgotten');
    expect(buckets()['1#mine|0["u5"]']).toEqual(['{"id":"n","title":"later"}']);
    expect(log.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
  });

  test('a slot that was lost while a copy was interrupted is noticed before any other row is copied', async () => {
    const { source, start, stop, until, log, deployment } = await begin();
    source.onPage = () => {
      source.outage = new SourceFailure('closed', 'SVC_S1121', 'gone');
    };
    start();
    await until(() => log.some(({ message }) => message === 'gone'), 'the failure');
    await stop();
    source.outage = undefined;
    source.loseSlot('test_1_a1b2', 'wal_removed');
    let pages = 0;
    source.onPage = () => {
      pages += 1;
    };
    start();
    await until(() => deployment(1).lastError?.message.includes('wal_removed') === true, 'a failure');
    expect(pages).toBe(0);
  });

  test('a lost slot of the active deployment starts a new one, while the old one serves', async () => {
    const { source, deployment, until, buckets, reach, storage } = await beginAndReach();
    source.loseSlot('test_1_a1b2', 'wal_removed');
    await until(() => storage.records.length === 2, 'a new deployment');
    expect(['errored', 'stopped', 'terminated']).toContain(deployment(1).state);
    expect(deployment(2).content).toBe(config);
    await until(() => deployment(1).state === 'terminated', 'the old one to be cleared');
    await reach();
    expect(Object.keys(buckets())).toEqual(['2#mine|0["u0"]', '2#mine|0["u1"]']);
  });

  test('a dropped slot also starts a new deployment', async () => {
    const { source, deployment, until, storage, stop, start } = await beginAndReach();
    await stop();
    await source.dropBacklog('test_1_a1b2');
    start();
    await until(() => storage.records.length === 2, 'a new deployment');
    await until(() => deployment(1).state === 'terminated', 'the old one to be cleared');
    expect(deployment(2).state).toBe('active');
  });

  test('a slot that is lost during a copy does not start another copy, whose slot would also be lost', async () => {
    const { source, storage, start, until, deployment } = await begin();
    source.onPage = () => source.loseSlot('test_1_a1b2', 'wal_removed');
    start();
    await until(() => storage.records[0]?.lastError !== undefined || storage.records.length > 1, 'a failure');
    expect(storage.records).toHaveLength(1);
    expect(deployment(1)).toMatchObject({
      state: 'processing',
      lastError: { message: expect.stringContaining('wal_removed') },
    });
  });
});

describe('when the storage is full', () => {
  test('the failure is reported, stored rows are kept, and replication continues when there is room', async () => {
    let isFull = false;
    const full = () => new StorageFailure('full', 'The disk is full.');
    const { source, reach, until, log, buckets, replicator } = await beginAndReach({
      through: (storage) => ({
        ...storage,
        deployments: {
          ...storage.deployments,
          change: (decide) => (isFull ? Promise.reject(full()) : storage.deployments.change(decide)),
        },
        writer: async (deployment) => {
          const writer = await storage.writer(deployment);
          if (writer === undefined) return undefined;
          const write: typeof writer.write = (batch) =>
            isFull ? Promise.reject(full()) : writer.write(batch);
          return { ...writer, write };
        },
      }),
    });
    isFull = true;
    source.commit((t) => t.insert('todos', { id: 'n', title: 'later', owner: 'u5' }));
    await until(
      () => log.filter(({ message }) => message === 'The disk is full.').length > 1,
      'two attempts',
    );
    expect(replicator.status()[0]?.lastFailure?.message).toBe('The disk is full.');
    expect(buckets()['1#mine|0["u0"]']).toHaveLength(4);
    isFull = false;
    await reach();
    expect(buckets()['1#mine|0["u5"]']).toEqual(['{"id":"n","title":"later"}']);
  });
});

test('lags equal those in the status of each job, while it runs, after it has failed and while it waits', async () => {
  let [now, isTaken] = [1_000, false];
  const lost = () => new StorageFailure('lost', 'Another process writes now.');
  const { source, until, replicator, reach } = await beginAndReach({
    now: () => now,
    through: (storage) => ({
      ...storage,
      writer: async (id) => {
        const writer = isTaken ? undefined : await storage.writer(id);
        const demand = () => (isTaken ? Promise.reject(lost()) : (writer?.demand() ?? Promise.resolve()));
        return writer && { ...writer, demand };
      },
    }),
  });
  const demandSame = (lags: number) => {
    expect(replicator.lags()).toEqual(replicator.status().flatMap((job) => lagOf(job, now) ?? []));
    expect(replicator.lags().length).toBe(lags);
  };
  demandSame(1);
  now += 5_000;
  source.commit((t) => t.insert('todos', { id: 'n', title: 'later', owner: 'u5' }));
  await reach();
  demandSame(1);
  isTaken = true;
  source.breakStreams(new SourceFailure('unreachable', 'SVC_S1121', 'The source is gone.'));
  await until(() => replicator.status()[0]?.standby === true, 'it to wait');
  now += 7_000;
  demandSame(1);
  expect(Math.max(...replicator.lags())).toBeGreaterThanOrEqual(7_000);
});

describe('when another process has the right to replicate', () => {
  test('a job waits for the right, and logs this once', async () => {
    let isTaken = true;
    const { start, reach, until, replicator, log } = await begin({
      through: (storage) => ({
        ...storage,
        writer: async (deployment) => (isTaken ? undefined : storage.writer(deployment)),
      }),
    });
    const standby = () => replicator.status()[0]?.standby;
    start();
    await until(() => standby() === true, 'it to wait');
    isTaken = false;
    await reach();
    expect(standby()).toBeUndefined();
    // The message is logged once, however often the job has asked for the right.
    expect(log.filter(({ message }) => message.startsWith('Another process'))).toHaveLength(1);
  });

  test('a job reports its failure if a broken storage cannot say whether it has lost the right', async () => {
    let isBroken = false;
    const broken = () => new StorageFailure('full', 'The disk is full.');
    const { source, until, replicator, log } = await beginAndReach({
      through: (storage) => ({
        ...storage,
        writer: async (id) => {
          const writer = await storage.writer(id);
          const demand = () => (isBroken ? Promise.reject(broken()) : writer?.demand());
          return writer && { ...writer, demand: demand as ReplicationWriter['demand'] };
        },
      }),
    });
    isBroken = true;
    source.breakStreams(new SourceFailure('unreachable', 'SVC_S1121', 'The source is gone.'));
    await until(() => log.some(({ message }) => message === 'The source is gone.'), 'the failure');
    expect(replicator.status()[0]?.standby).toBeUndefined();
  });

  test('a job that has lost the right reports no failure of its own', async () => {
    let isLost = false;
    const lost = () => new StorageFailure('lost', 'Another process writes now.');
    const { source, until, replicator, deployment, log } = await beginAndReach({
      through: (storage) => ({
        ...storage,
        writer: async (id) => {
          const writer = isLost ? undefined : await storage.writer(id);
          if (writer === undefined) return undefined;
          const demand = () => (isLost ? Promise.reject(lost()) : writer.demand());
          return { ...writer, demand };
        },
      }),
    });
    isLost = true;
    source.outage = new SourceFailure('backlog-missing', 'SVC_S1146', 'The slot is gone.');
    source.breakStreams(source.outage);
    await until(() => replicator.status()[0]?.standby === true, 'it to wait');
    expect(deployment(1)).not.toHaveProperty('lastError');
    expect(deployment(1).state).toBe('active');
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a job ends when it learns that the other process has taken over', async () => {
    const taken = new AbortController();
    const { until, replicator } = await beginAndReach({
      through: (storage) => ({
        ...storage,
        writer: async (id) => {
          const writer = taken.signal.aborted ? undefined : await storage.writer(id);
          return writer && { ...writer, lost: taken.signal };
        },
      }),
    });
    taken.abort();
    await until(() => replicator.status()[0]?.standby === true, 'it to wait');
  });
});

describe('tables that change while the stream runs', () => {
  const wild = config.replace('todos', '"todos%" AS todos');

  test('are copied when they are new, and lose their rows when they are dropped and created again', async () => {
    const { source, deployer, reach, buckets, until, deployment } = await beginAndReach();
    await deployer.deploy(wild);
    await until(() => deployment(2).state === 'active', 'the second to be active');
    source.createTable({ name: 'todos_archive' });
    source.commit((t) => {
      for (let i = 0; i < 5; i += 1)
        t.insert('todos_archive', { id: `a${i}`, title: `old ${i}`, owner: 'u7' });
    });
    await reach();
    await reach();
    expect(buckets()['2#mine|0["u7"]']).toHaveLength(5);
    source.dropTable('todos_archive');
    source.createTable({ name: 'todos_archive' });
    source.commit((t) => t.insert('todos_archive', { id: 'b', title: 'again', owner: 'u7' }));
    await reach();
    await reach();
    expect(buckets()['2#mine|0["u7"]']).toEqual(['{"id":"b","title":"again"}']);
  });

  describe('in a way that the log does not report', () => {
    const todosTable = (membership: string) => ({
      name: 'todos',
      oid: 7,
      shape: { membership, columns: columnIds({ id: 1, title: 2, owner: 3 }) },
    });

    test('are copied again, and lose the rows that no longer exist', async () => {
      const { source, start, stop, reach, buckets } = await beginAndReach({ pageSize: 2 });
      source.createTable(todosTable('1'));
      source.commit((t) => {
        for (let i = 0; i < 5; i += 1) t.insert('todos', { id: `t${i}`, title: 'old', owner: 'u1' });
      });
      await reach();
      await reach();
      await stop();
      source.createTable(todosTable('2'));
      source.commit((t) => t.insert('todos', { id: 't3', title: 'new', owner: 'u1' }));
      start();
      await reach();
      await reach();
      expect(buckets()).toEqual({ '1#mine|0["u1"]': ['{"id":"t3","title":"new"}'] });
    });
  });
});

describe('many small transactions', () => {
  const burst = async (options: ReplicatingOptions) => {
    const { source, storage, reach } = await beginAndReach({ transactionsPerChunk: 1, ...options });
    let published = 0;
    storage.watch(() => {
      published += 1;
    });
    for (let n = 0; n < 30; n += 1)
      source.commit((t) => t.insert('todos', { id: `n${n}`, title: 'new', owner: 'u5' }));
    const { position } = await reach();
    return { published, state: storage.contents(1, (await reach(position)).opId).get('1#mine|0["u5"]') };
  };

  test('become one checkpoint if all of them have arrived', async () => {
    const { published, state } = await burst({ now: () => 0 });
    expect(published).toBe(1);
    expect(state?.size).toBe(30);
  });

  test('become several checkpoints if storing them takes time', async () => {
    let now = 0;
    const { published } = await burst({
      now: () => {
        now += 20;
        return now;
      },
    });
    expect(published).toBeGreaterThan(1);
    expect(published).toBeLessThan(30);
  });
});

test('an idle source is marked repeatedly, so that it can be distinguished from a stuck one', async () => {
  const { deployment, until } = await beginAndReach({ heartbeat: 60_000 });
  const position = () => deployment(1).lastCheckpointPosition ?? '';
  const seen = new Set<string>();
  await until(() => seen.add(position()).size > 3, 'checkpoints without changes');
});

test('jobs end when the replicator stops, and continue at the same position at its next start', async () => {
  const { source, stop, start, reach, buckets } = await beginAndReach();
  await stop();
  source.commit((t) => t.insert('todos', { id: 'n', title: 'meanwhile', owner: 'u5' }));
  start();
  await reach();
  expect(buckets()['1#mine|0["u5"]']).toEqual(['{"id":"n","title":"meanwhile"}']);
});
