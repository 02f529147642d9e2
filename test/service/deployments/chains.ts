/**
 * Deploys random configs one after the other over random data, while processes end and start. Some are deployed before their
 * predecessor is active. Whatever is reused, each client ends with the rows that a new service with the last config sends, and is
 * never in a state that no config produces. Nothing that no config needs is left.
 */
import { expect } from 'vitest';
import { replicates } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { belongsTo } from '../../../server/engine/plan/evaluate/names.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { openSyncConfigs, type RunningConfig } from '../../../server/service/deployments/syncConfigs.ts';
import { jsonOfChunk } from '../../../server/service/storage/chunks.ts';
import type { Deployment, OpId } from '../../../server/service/storage/deployment.ts';
import type {
  Checkpoint,
  DeploymentStore,
  NewOp,
  ReplicationWriter,
  Storage,
} from '../../../server/service/storage/storage.ts';
import { randomOf } from '../../consistency/random.ts';
import { createMemorySource, type MemorySource } from '../../support/service/memorySource.ts';
import { createMemoryStorage } from '../../support/service/memoryStorage.ts';
import { createReplicating, type Replicating } from '../../support/service/replication.ts';
import { change, type DrawnConfig, drawConfig, mutate, tables, textOf, users } from './drawnConfigs.ts';

type Kind = 'at once' | 'beside' | 'whole';

/** @param open for each chain; a chain closes what it has opened */
export async function tryChains(
  { pairs, firstSeed }: { readonly pairs: number; readonly firstSeed: number },
  open: OpenChainStorage,
): Promise<Readonly<Record<Kind, number>>> {
  const kinds = { 'at once': 0, beside: 0, whole: 0 };
  for (let seed = firstSeed; seed < firstSeed + pairs; seed += 1) {
    const { storage, contents, close } = await open();
    try {
      for (const kind of await tryChain(seed, storage, contents)) kinds[kind] += 1;
    } finally {
      await close();
    }
  }
  return kinds;
}

async function tryChain(seed: number, storage: Storage, contents: Contents): Promise<readonly Kind[]> {
  const random = randomOf(seed);
  const { below, pick } = random;
  const drawn = [drawConfig(random)];
  // Back to one that was there before, now and then.
  while (drawn.length < 4)
    drawn.push(below(5) === 0 ? pick(drawn) : mutate(drawn.at(-1) as DrawnConfig, random));
  const texts = drawn.map((config) => textOf(config, random));
  // The stream is behind what the pages show.
  const source = createMemorySource({ transactionsPerChunk: 2 });
  // Rows of one of them cannot be read again by their key.
  for (const name of tables)
    source.createTable({ name, ...(name === 'members' && { identity: [{ name: 'id', type: 'bpchar' }] }) });
  change(source, random, 12);
  const wrong: string[] = [];
  const isWrong = async (record: Deployment, checkpoint: Checkpoint): Promise<string | undefined> => {
    for (const user of users) {
      const shown = await shownTo(user, record, checkpoint, contents);
      const expected = await meantFor(user, record, checkpoint, source);
      if (shown !== expected)
        return `${user} sees ${shown} at ${checkpoint.position}, and not ${expected} by ${record.content}`;
    }
    return undefined;
  };
  const through = (each: Storage) =>
    watchStates(each, async (record, checkpoint) => {
      for (let read = record; ; ) {
        const found = await isWrong(read, checkpoint);
        if (found === undefined) return;
        const isServed = ({ id, state }: Deployment) => id === record.id && state === 'active';
        const now = (await storage.deployments.all()).find(isServed);
        // The rows of a replaced deployment are deleted while they are read here.
        if (now === undefined) return;
        if (now.content === read.content) {
          wrong.push(found);
          return;
        }
        // Another text has taken its place meanwhile.
        read = now;
      }
    });
  const replicating = createReplicating({ source, storage, through });
  const { deployer, until, records, reach, start, stop } = replicating;
  // Changes during the reading of rows are the hardest case.
  let last = await source.position();
  source.onPage = () => {
    void source.position().then((position) => {
      last = position;
    });
    if (below(2) === 0) change(source, random, 1 + below(6));
    // The stream falls behind, for a while.
    if (below(6) !== 0) return;
    source.tellUpTo(last);
    setTimeout(() => source.tellUpTo(undefined), below(4));
  };
  const kinds: Kind[] = [];
  const about = () => `seed ${seed}, ${kinds.join(', ')}\n${texts.join('\n')}`;
  try {
    await deployer.deploy(texts[0] as string);
    start();
    await reach();
    for (const after of texts.slice(1)) {
      change(source, random, 4);
      const before = await storage.deployments.all();
      const { outcome } = await deployer.foresee(after);
      const deployed = await deployer.deploy(after);
      const isNew = deployed.state === 'processing' && before.every(({ id }) => id !== deployed.id);
      kinds.push(!isNew ? 'at once' : deployed.base === undefined ? 'whole' : 'beside');
      // A pending deployment may have become active in between.
      const isCalm = before.every(({ state }) => state !== 'processing');
      if (isCalm) expect(outcome === 'copy', about()).toBe(kinds.at(-1) !== 'at once');
      change(source, random, 4);
      // A process that ends under way, and a deploy that comes too early.
      for (let left = below(3); left > 0; left -= 1) {
        for (let turns = below(40); turns > 0; turns -= 1) await new Promise(setImmediate);
        await stop();
        change(source, random, 1);
        start();
      }
      if (below(3) === 0) continue;
      await until(() => isServed(after, replicating), `the next one to be active\n${about()}`);
      change(source, random, 4);
    }
    const last = texts.at(-1) as string;
    await until(() => isServed(last, replicating), `the last one to be active\n${about()}`);
    expect(await finalStates(replicating, contents), about()).toEqual(await freshStates(last, source));
    expect(wrong, about()).toEqual([]);
    await until(() => records().every(({ hasRest, state }) => !hasRest || state !== 'active'), 'no rest');
    expect(await restOf(storage, contents), about()).toEqual([]);
    return kinds;
  } finally {
    await stop();
  }
}

/** Calls back with each state that clients can see, before anything else happens to it. */
function watchStates(
  storage: Storage,
  onState: (record: Deployment, checkpoint: Checkpoint) => Promise<void>,
): Storage {
  let latest: readonly Deployment[] = [];
  const change: DeploymentStore['change'] = async (decide) => {
    const before = servingIn(latest)?.content;
    const records = await storage.deployments.change(decide);
    latest = records;
    const serving = servingIn(records);
    const { lastCheckpoint: opId, lastCheckpointPosition: position } = serving ?? {};
    const isOther = serving?.content !== before && opId !== undefined && position !== undefined;
    if (serving !== undefined && isOther) await onState(serving, { opId, position });
    return records;
  };
  return {
    ...storage,
    deployments: { ...storage.deployments, change },
    writer: async (deployment) => {
      const writer = await storage.writer(deployment);
      if (writer === undefined) return undefined;
      const commit: ReplicationWriter['commit'] = async (position, options) => {
        const result = await writer.commit(position, options);
        latest = result.changed ?? latest;
        const record = latest.find(({ id, state }) => id === deployment && state === 'active');
        const isSeen = result.published && result.putOff !== true;
        if (isSeen && record !== undefined && result.checkpoint !== undefined)
          await onState(record, result.checkpoint);
        return result;
      };
      return { ...writer, commit };
    },
  };
}

function servingIn(records: readonly Deployment[]): Deployment | undefined {
  return records.findLast(({ state }) => state === 'active');
}

/** Returns the stored parts that belong to no text. */
async function restOf(storage: Storage, contents: Contents): Promise<readonly string[]> {
  const serving = servingIn(await storage.deployments.all());
  if (serving === undefined) return ['nothing serves'];
  const { parts, evaluator } = configs.of(serving).storing;
  const isStored = belongsTo(parts);
  const stored = storage.stored(serving.id);
  const found = new Set((await contents.buckets(serving.id)).filter((bucket) => !isStored(bucket)));
  for (const { id, schema, name } of await stored.tables()) {
    if (!replicates(evaluator.tables, { tag: 'default', schema, name })) found.add(name);
    for (let last: string | undefined; ; ) {
      const rows = await stored.rowsAfter(id, last);
      for (const { memberships, lookups } of rows)
        for (const key of [...memberships.map(({ bucket }) => bucket), ...lookups])
          if (!isStored(key)) found.add(key);
      last = rows.at(-1)?.key;
      if (last === undefined) break;
    }
  }
  return [...found];
}

function isServed(content: string, { records }: Replicating): boolean {
  return servingIn(records())?.content === content && records().every(({ state }) => state !== 'processing');
}

async function finalStates(
  { records, source, reach }: Replicating,
  contents: Contents,
): Promise<readonly string[]> {
  // The last change may concern no replicated table.
  await source.mark();
  const checkpoint = await reach();
  const serving = servingIn(records());
  return Promise.all(
    users.map((user) => (serving ? shownTo(user, serving, checkpoint, contents) : 'nothing serves')),
  );
}

/** Returns the states that a service shows if it never had another config. */
async function freshStates(content: string, { stateAt, position }: MemorySource): Promise<readonly string[]> {
  const source = createMemorySource();
  for (const name of tables) source.createTable({ name });
  const rows = stateAt(await position());
  source.commit((t) => {
    for (const name of tables) for (const row of rows.get(name) ?? []) t.insert(name, row);
  });
  const { storage, contents } = openMemory();
  const replicating = createReplicating({ source, storage });
  try {
    await replicating.deployer.deploy(content);
    replicating.start();
    return await finalStates(replicating, contents);
  } finally {
    await replicating.stop();
  }
}

const configs = openSyncConfigs('public');

/** Returns the rows of a client that has all operations of its buckets. */
async function shownTo(
  user: string,
  record: Deployment,
  { opId }: Checkpoint,
  contents: Contents,
): Promise<string> {
  const lookups = (keys: readonly string[]) => contents.lookups(record.id, opId, keys);
  const granted = await bucketsOf(configs.of(record), user, lookups);
  const puts = new Map<string, { readonly row: string; readonly data: string; readonly opId: number }>();
  for (const op of await contents.operations(record.id, opId, granted)) {
    const row = `${op.type}/${op.id}`;
    const key = `${op.bucket} ${row} ${op.subkey}`;
    puts.delete(key);
    if (op.op === 'PUT') puts.set(key, { row, data: op.data ?? '', opId: op.opId });
  }
  const latest = [...puts.values()].toSorted((a, b) => a.opId - b.opId);
  return textOfRows(new Map(latest.map(({ row, data }) => [row, data])));
}

/** Computes the rows that the config means from the source's rows alone, under the names in its text. */
async function meantFor(
  user: string,
  { content }: Deployment,
  { position }: Checkpoint,
  { stateAt }: MemorySource,
): Promise<string> {
  const config = configs.of({ id: 0, content });
  const entries = new Map<string, (readonly SqlValue[])[]>();
  const found: { readonly bucket: string; readonly row: string; readonly data: string }[] = [];
  for (const name of tables) {
    const evaluate = config.evaluator.rowsOf({ tag: 'default', schema: 'public', name });
    for (const row of stateAt(position).get(name) ?? []) {
      const { rows, entries: own } = evaluate(row);
      for (const { key, values } of own) entries.set(key, [...(entries.get(key) ?? []), values]);
      for (const { bucket, table, id, data } of rows) found.push({ bucket, row: `${table}/${id}`, data });
    }
  }
  const granted = await bucketsOf(config, user, async () => entries);
  const shown = found.filter(({ bucket }) => granted.includes(bucket));
  return textOfRows(new Map(shown.map(({ row, data }) => [row, data])));
}

async function bucketsOf(
  { evaluator, plans }: RunningConfig,
  user: string,
  lookups: (keys: readonly string[]) => Promise<Lookups>,
): Promise<readonly string[]> {
  const evaluation = evaluator.request({
    claims: requestDocument(JSON.stringify({ sub: user })),
    connection: requestDocument('{}'),
    subscriptions: plans.map(({ name }) => ({
      stream: name,
      parameters: requestDocument('{"owner":"ada"}'),
    })),
    includeDefaults: true,
  });
  let step = evaluation.next();
  while (!step.done) {
    const found = await lookups(step.value);
    step = evaluation.next(new Map(step.value.map((key) => [key, found.get(key) ?? []])));
  }
  return step.value.buckets.map(({ bucket }) => bucket);
}

function textOfRows(rows: ReadonlyMap<string, string>): string {
  return [...rows]
    .map(([row, data]) => `${row} ${data}`)
    .sort()
    .join('; ');
}

type Lookups = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

/** The data of a deployment that a client can read, and all its buckets. */
interface Contents {
  /** Reads the operations of these buckets up to a checkpoint. Those of one bucket are in order. */
  operations(deployment: number, opId: OpId, buckets: readonly string[]): Promise<readonly Operation[]>;
  lookups(deployment: number, opId: OpId, keys: readonly string[]): Promise<Lookups>;
  buckets(deployment: number): Promise<readonly string[]>;
}

type Operation = Pick<NewOp, 'bucket' | 'op' | 'type' | 'id' | 'subkey' | 'data'> & { readonly opId: OpId };

interface ChainStorage {
  readonly storage: Storage;
  readonly contents: Contents;
  readonly close: () => Promise<void>;
}

type OpenChainStorage = () => ChainStorage | Promise<ChainStorage>;

export function openMemory(): ChainStorage {
  const storage = createMemoryStorage();
  const contents: Contents = {
    operations: async (deployment, opId, buckets) =>
      storage.ops(deployment).filter((op) => op.opId <= opId && buckets.includes(op.bucket)),
    lookups: async (deployment, opId) => {
      const values = [...storage.lookupValues(deployment, opId)];
      return new Map(
        values.map(([key, texts]) => [key, texts.map((text) => JSON.parse(text) as SqlValue[])]),
      );
    },
    buckets: async (deployment) => [...new Set(storage.ops(deployment).map(({ bucket }) => bucket))],
  };
  return { storage, contents, close: storage.close };
}

/** Reads the contents by the contract of storages alone. */
export function contentsOf(storage: Storage): Contents {
  const operationsIn = async (deployment: number, opId: OpId, bucket: string) => {
    const operations: Operation[] = [];
    const reader = storage.reader(deployment);
    for (let after = 0; ; ) {
      const chunks = await reader.read(opId, [{ bucket, after }]);
      if (chunks.length === 0) return operations;
      for (const chunk of chunks) {
        after = chunk.nextAfter;
        for (const line of JSON.parse(jsonOfChunk(chunk))) {
          const { op_id, op, object_type: type, object_id: id, subkey, data } = line;
          operations.push({ bucket, opId: Number(op_id), op, type, id, subkey, data });
        }
      }
    }
  };
  return {
    operations: async (deployment, opId, buckets) => {
      const all: Operation[] = [];
      for (const bucket of buckets) all.push(...(await operationsIn(deployment, opId, bucket)));
      return all;
    },
    lookups: (deployment, opId, keys) => storage.reader(deployment).lookups(opId, keys, 100_000),
    buckets: async (deployment) => {
      const names: string[] = [];
      for (let last = 0; ; ) {
        const some = await storage.stored(deployment).bucketsAfter(last);
        names.push(...some.map(({ name }) => name));
        const end = some.at(-1);
        if (end === undefined) return names;
        last = end.id;
      }
    },
  };
}
