/** Random configs over three tables, and random changes of their rows. */
import { readSyncConfig } from '../../../server/service/deployments/syncConfigs.ts';
import type { Random } from '../../consistency/random.ts';
import type { MemorySource } from '../../support/service/memorySource.ts';

export const tables = ['lists', 'todos', 'members'] as const;
export const users = ['ada', 'ben'] as const;

/** Its layout, its comments and, where that is possible, its words are another each time. */
export interface DrawnConfig {
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
/** Queries that show the same rows in two ways come more often, because their order is the hardest to keep. */
const queryNames = [...(Object.keys(queries) as (keyof typeof queries)[]), 'own', 'names', 'names'] as const;

export function drawConfig({ below, pick }: Random): DrawnConfig {
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
export function mutate(config: DrawnConfig, random: Random): DrawnConfig {
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

/** Returns one of several texts with the same meaning, in a form that the edition supports. */
export function textOf({ edition, streams }: DrawnConfig, random: Random): string {
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

export function change(source: MemorySource, { below, pick }: Random, transactions: number): void {
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
        // A large value of a row that cannot be read again may be unknown after a rename.
        else if (below(8) === 0 && table !== 'members') t.rename(table, id, value(table));
        if (below(60) === 0) t.truncate(table);
      }
    });
  }
}
