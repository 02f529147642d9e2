/**
 * Random configs, deployed one after the other over random data, some of them before the one before is active, and while
 * processes end and begin. Whatever is reused: every client ends with what a fresh service with the last config gives, is never
 * in a state that no config gives, and nothing is left of what no config needs.
 *
 * `HEADWATER_PAIRS=2000 HEADWATER_SEED=7` tries more, and others.
 */
import { expect, test } from 'vitest';
import { replicates } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { belongsTo } from '../../../server/engine/plan/evaluate/names.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import {
  openSyncConfigs,
  type RunningConfig,
  readSyncConfig,
} from '../../../server/service/deployments/syncConfigs.ts';
import type { Deployment } from '../../../server/service/storage/deployment.ts';
import type { Checkpoint } from '../../../server/service/storage/storage.ts';
import { type Random, randomOf } from '../../consistency/random.ts';
import { casesOf } from '../../support/house/share.ts';
import { createMemorySource, type MemorySource } from '../../support/service/memorySource.ts';
import type { MemoryStorage } from '../../support/service/memoryStorage.ts';
import { createReplicating, type Replicating } from '../../support/service/replication.ts';

// Fewer would not be of every kind.
const pairs = Number(process.env.HEADWATER_PAIRS ?? Math.max(12, casesOf(36)));
const firstSeed = Number(process.env.HEADWATER_SEED ?? 1);
const tables = ['lists', 'todos', 'members'] as const;
const users = ['ada', 'ben'] as const;

test(`${pairs} random chains of configs`, { timeout: 20_000 + pairs * 1_000 }, async () => {
  const kinds = { 'at once': 0, beside: 0, whole: 0 };
  for (let seed = firstSeed; seed < firstSeed + pairs; seed += 1)
    for (const kind of await tryChain(seed)) kinds[kind] += 1;
  // All must be tried, or the test shows nothing.
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(pairs / 10);
});

async function tryChain(seed: number): Promise<readonly ('at once' | 'beside' | 'whole')[]> {
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
  const replicating = createReplicating({ source });
  const { storage, deployer, until, reach, start, stop } = replicating;
  const wrong: string[] = [];
  storage.watch(({ deployment, checkpoint }) => {
    const record = storage.records.find(({ id }) => id === deployment);
    if (record === undefined || record.state !== 'active') return;
    for (const user of users) {
      const [shown, expected] = [
        shownTo(user, record, checkpoint, storage),
        meantFor(user, record, checkpoint, source),
      ];
      if (shown !== expected)
        wrong.push(`${user} sees ${shown} at ${checkpoint.lsn}, and not ${expected} by ${record.content}`);
    }
  });
  // What changes while rows are read is the hardest to get right.
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
  const kinds: ('at once' | 'beside' | 'whole')[] = [];
  const about = () => `seed ${seed}, ${kinds.join(', ')}\n${texts.join('\n')}`;
  try {
    await deployer.deploy(texts[0] as string);
    start();
    await reach();
    for (const after of texts.slice(1)) {
      change(source, random, 4);
      const copied = storage.records.length;
      const { outcome } = await deployer.foresee(after);
      await deployer.deploy(after);
      const pending = storage.records.slice(copied).find(({ state }) => state === 'processing');
      kinds.push(pending === undefined ? 'at once' : pending.base === undefined ? 'whole' : 'beside');
      if (kinds.at(-1) === 'at once') expect(outcome).not.toBe('copy');
      else expect(outcome).toBe('copy');
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
    expect(await finalStates(replicating), about()).toEqual(await freshStates(last, source));
    expect(wrong, about()).toEqual([]);
    await until(
      () => storage.records.every(({ hasRest, state }) => !hasRest || state !== 'active'),
      'no rest',
    );
    expect(await restOf(replicating), about()).toEqual([]);
    return kinds;
  } finally {
    await stop();
  }
}

/** What is stored, and by no text. */
async function restOf({ storage }: Replicating): Promise<readonly string[]> {
  const serving = storage.records.findLast(({ state }) => state === 'active');
  if (serving === undefined) return ['nothing serves'];
  const { parts, evaluator } = configs.of(serving).storing;
  const isStored = belongsTo(parts);
  const stored = storage.stored(serving.id);
  const found = new Set(storage.ops(serving.id).flatMap(({ bucket }) => (isStored(bucket) ? [] : [bucket])));
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

function isServed(content: string, { storage }: Replicating): boolean {
  const serving = storage.records.findLast(({ state }) => state === 'active');
  return serving?.content === content && storage.records.every(({ state }) => state !== 'processing');
}

async function finalStates({ storage, source, reach }: Replicating): Promise<readonly string[]> {
  // What was changed last may concern no table that is replicated.
  await source.mark();
  const checkpoint = await reach();
  const serving = storage.records.findLast(({ state }) => state === 'active');
  return users.map((user) => (serving ? shownTo(user, serving, checkpoint, storage) : ''));
}

/** What a service shows that has never had another config. */
async function freshStates(content: string, { stateAt, position }: MemorySource): Promise<readonly string[]> {
  const source = createMemorySource();
  for (const name of tables) source.createTable({ name });
  const rows = stateAt(await position());
  source.commit((t) => {
    for (const name of tables) for (const row of rows.get(name) ?? []) t.insert(name, row);
  });
  const replicating = createReplicating({ source });
  try {
    await replicating.deployer.deploy(content);
    replicating.start();
    return await finalStates(replicating);
  } finally {
    await replicating.stop();
  }
}

const configs = openSyncConfigs('public');

/** As a client that has all operations of its buckets. */
function shownTo(user: string, record: Deployment, { opId }: Checkpoint, storage: MemoryStorage): string {
  const values = storage.lookupValues(record.id, opId);
  const lookup = (key: string) => (values.get(key) ?? []).map((text) => JSON.parse(text) as SqlValue[]);
  const granted = new Set(bucketsOf(configs.of(record), user, lookup));
  const puts = new Map<string, { readonly row: string; readonly data: string; readonly opId: number }>();
  for (const op of storage.ops(record.id)) {
    if (op.opId > opId || !granted.has(op.bucket)) continue;
    const row = `${op.type}/${op.id}`;
    const key = `${op.bucket} ${row} ${op.subkey}`;
    puts.delete(key);
    if (op.op === 'PUT') puts.set(key, { row, data: op.data ?? '', opId: op.opId });
  }
  const latest = [...puts.values()].toSorted((a, b) => a.opId - b.opId);
  return textOfRows(new Map(latest.map(({ row, data }) => [row, data])));
}

/** What the config means, computed from the rows alone, under names that its text gives. */
function meantFor(
  user: string,
  { content }: Deployment,
  { lsn }: Checkpoint,
  { stateAt }: MemorySource,
): string {
  const config = configs.of({ id: 0, content });
  const entries = new Map<string, (readonly SqlValue[])[]>();
  const found: { readonly bucket: string; readonly row: string; readonly data: string }[] = [];
  for (const name of tables) {
    const evaluate = config.evaluator.rowsOf({ tag: 'default', schema: 'public', name });
    for (const row of stateAt(lsn).get(name) ?? []) {
      const { rows, entries: own } = evaluate(row);
      for (const { key, values } of own) entries.set(key, [...(entries.get(key) ?? []), values]);
      for (const { bucket, table, id, data } of rows) found.push({ bucket, row: `${table}/${id}`, data });
    }
  }
  const granted = new Set(bucketsOf(config, user, (key) => entries.get(key) ?? []));
  const shown = found.filter(({ bucket }) => granted.has(bucket));
  return textOfRows(new Map(shown.map(({ row, data }) => [row, data])));
}

function bucketsOf(
  { evaluator, plans }: RunningConfig,
  user: string,
  lookup: (key: string) => readonly (readonly SqlValue[])[],
): readonly string[] {
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
  while (!step.done) step = evaluation.next(new Map(step.value.map((key) => [key, lookup(key)])));
  return step.value.buckets.map(({ bucket }) => bucket);
}

function textOfRows(rows: ReadonlyMap<string, string>): string {
  return [...rows]
    .map(([row, data]) => `${row} ${data}`)
    .sort()
    .join('; ');
}

/** Its layout, its comments and, where that is possible, its words are another each time. */
interface DrawnConfig {
  readonly edition: 2 | 3;
  readonly streams: readonly DrawnStream[];
}

interface DrawnStream {
  readonly name: string;
  readonly query: keyof typeof queries;
  readonly isDefault: boolean;
  readonly priority: 1 | 2 | 3;
}

/** Each has texts that mean the same. */
const queries = {
  own: [
    'SELECT * FROM lists WHERE owner = auth.user_id()',
    'select *\n      from lists where auth.user_id() = owner',
  ],
  // The same rows as others show, in another way: which one counts depends on the order.
  names: [
    'SELECT id, name FROM lists WHERE owner = auth.user_id()',
    'SELECT id, lists.name FROM lists WHERE lists.owner = auth.user_id()',
  ],
  asked: ["SELECT * FROM lists WHERE owner = subscription.parameter('owner')"],
  boxes: ["SELECT id, name FROM lists AS boxes WHERE shared = 'y'"],
  tasks: [
    'SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())',
    'SELECT * FROM todos WHERE list IN (SELECT l.id FROM lists AS l WHERE l.owner = auth.user_id())',
  ],
  joined: [
    'SELECT todos.* FROM todos JOIN members ON members.list = todos.list WHERE members.person = auth.user_id()',
    'SELECT * FROM todos WHERE list IN (SELECT list FROM members WHERE person = auth.user_id())',
  ],
  done: [
    "SELECT id, title FROM todos AS finished WHERE done = 'y'",
    "SELECT finished.id, title FROM todos AS finished WHERE finished.done = 'y'",
  ],
  mine: [
    "SELECT * FROM todos WHERE owner = auth.user_id() AND done = 'n'",
    "SELECT * FROM todos WHERE done = 'n' AND owner = auth.user_id()",
  ],
} as const;

const names = ['a', 'b', 'c', 'd', 'e'];
/** Those that show the same rows in two ways come more often: their order is the hardest to keep. */
const queryNames = [...(Object.keys(queries) as (keyof typeof queries)[]), 'own', 'names', 'names'] as const;

function drawConfig({ below, pick }: Random): DrawnConfig {
  const edition = pick<2 | 3>([3, 3, 3, 2]);
  const streams = names.slice(0, 1 + below(4)).map((name) => ({
    name,
    query: pick(queryNames),
    isDefault: below(2) === 0,
    priority: pick<1 | 2 | 3>([1, 2, 3]),
  }));
  return { edition, streams };
}

/** Most pairs differ in little: that is where reuse could go wrong. */
function mutate(config: DrawnConfig, random: Random): DrawnConfig {
  const { below, pick } = random;
  let { edition, streams } = config;
  for (let left = pick([0, 1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const index = below(streams.length);
    const at = (changes: Partial<DrawnStream>) =>
      streams.map((stream, n) => (n === index ? { ...stream, ...changes } : stream));
    const free = names.find((name) => streams.every((stream) => stream.name !== name)) ?? 'f';
    const step = pick([
      'turn',
      'turn',
      'turn',
      'drop',
      'drop',
      'rename',
      'deliver',
      'query',
      'add',
      'edition',
      'anew',
    ]);
    if (step === 'turn') streams = streams.toReversed();
    if (step === 'drop' && streams.length > 1) streams = streams.filter((_, n) => n !== index);
    if (step === 'rename') streams = at({ name: free });
    if (step === 'deliver') streams = at({ isDefault: below(2) === 0, priority: pick<1 | 2 | 3>([1, 2, 3]) });
    if (step === 'query') streams = at({ query: pick(queryNames) });
    if (step === 'add' && streams.length < 5)
      streams = [...streams, { name: free, query: pick(queryNames), isDefault: true, priority: 3 }];
    if (step === 'edition') edition = edition === 3 ? 2 : 3;
    if (step === 'anew') ({ edition, streams } = drawConfig(random));
  }
  return { edition, streams };
}

/** Of the texts that mean the same, one that the edition knows. */
function textOf({ edition, streams }: DrawnConfig, random: Random): string {
  const { below, pick } = random;
  const parts = streams.map(({ name, query, isDefault, priority }) =>
    [
      ...(below(3) === 0 ? [`  # ${below(1000)}`] : []),
      `  ${name}:`,
      `    priority: ${priority}`,
      ...(isDefault ? ['    auto_subscribe: true'] : []),
      `    query: ${edition === 3 ? pick(queries[query]) : queries[query].at(-1)}`,
    ].join('\n'),
  );
  const text = `# ${below(1000)}\nconfig:\n  edition: ${edition}\nstreams:\n${parts.join('\n')}\n`;
  const { problems } = readSyncConfig(text, 'public');
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`${errors[0]?.message}\n${text}`);
  return text;
}

function change(source: MemorySource, { below, pick }: Random, transactions: number): void {
  const value = (kind: string) => `${kind}${below(4)}`;
  const drawn = {
    lists: () => ({ owner: pick(users), name: value('name'), shared: pick(['y', 'n']) }),
    todos: () => ({
      list: value('lists'),
      owner: pick(users),
      title: value('title'),
      done: pick(['y', 'n']),
    }),
    members: () => ({ list: value('lists'), person: pick(users) }),
  };
  for (let n = 0; n < transactions; n += 1) {
    source.commit((t) => {
      for (let changes = 1 + below(3); changes > 0; changes -= 1) {
        const table = pick(tables);
        const id = value(table);
        // Long names are left out of updates that do not change them.
        const whole = { id, ...drawn[table](), note: `${'many letters '.repeat(24)}${below(100)}` };
        t.put(table, id, below(2) === 0 ? whole : drawn[table]());
        if (below(4) === 0) t.remove(table, id);
        // Of rows that cannot be read again, a large value may not be known after that.
        else if (below(8) === 0 && table !== 'members') t.rename(table, id, value(table));
        if (below(60) === 0) t.truncate(table);
      }
    });
  }
}
