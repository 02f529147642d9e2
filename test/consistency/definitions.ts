/** Random changes of the definition of `lists`, like those of migrations. Its columns `id` and `title` always stay. */
import type pg from 'pg';
import type { Random } from './random.ts';
import type { Row } from './scenario.ts';

/** The current definition of `lists`, from which a change is drawn. */
interface Draw {
  readonly random: Random;
  /** All columns but `id` and `title`. */
  readonly others: readonly Column[];
  /** A name that no column has. */
  readonly fresh: string;
  /** The labels of the enum `mood`. */
  readonly labels: readonly string[];
  readonly primaryKey: string;
  /** Whether the publication lists its tables. An embedded database publishes all tables. */
  readonly isListed: boolean;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isGenerated: boolean;
}

/** Makes up to three changes, with changes of rows before, between and after them. Must be called in a transaction. */
export async function changeDefinition(
  client: pg.Client,
  { random, isListed, say }: Pick<Draw, 'random' | 'isListed'> & { readonly say: (sentence: string) => void },
): Promise<void> {
  const touch = (word: string) =>
    client.query(
      `UPDATE lists SET title = '${word} ' || n FROM version WHERE lists.id = 'l${random.below(6)}'`,
    );
  if (random.below(2) === 0) await touch('before');
  for (let left = random.below(3) + 1; left > 0; left -= 1) {
    const draw = await readDraw(client, random, isListed);
    const [name, kind] = random.pick(Object.entries(kinds));
    say(name);
    for (const statement of kind(draw)) {
      await client.query(statement).catch((error: Error) => {
        throw new Error(`${name}: ${statement}: ${error.message}`, { cause: error });
      });
    }
    if (random.below(2) === 0) await touch('between');
  }
  // PostgreSQL writes a definition to its log only before a change of a row.
  await touch('after');
}

async function readDraw(client: pg.Client, random: Random, isListed: boolean): Promise<Draw> {
  const columns = await client.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attgenerated <> '' AS "isGenerated"
     FROM pg_attribute WHERE attrelid = 'lists'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const labels = await client.query(
    `SELECT enumlabel AS label FROM pg_enum WHERE enumtypid = 'mood'::regtype`,
  );
  const keys = await client.query(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'lists'::regclass AND contype = 'p'`,
  );
  const others = (columns.rows as Column[]).filter(({ name }) => name !== 'id' && name !== 'title');
  const taken = others.map(({ name }) => name.replace(generated, ''));
  const free = names.filter((name) => !taken.includes(name));
  return {
    random,
    others,
    fresh: random.pick(free),
    labels: (labels.rows as { label: string }[]).map(({ label }) => label),
    primaryKey: (keys.rows as { name: string }[])[0]?.name ?? '',
    isListed,
  };
}

const names = ['note', 'a', 'b', 'c', 'd', 'e', 'f'] as const;

/** A table that has this many other columns loses some instead of getting another one. */
const mostColumns = 5;

/** The beginning of the names of generated columns. */
const generated = 'made_';

/** Returns the part of a row that PostgreSQL publishes. */
export function withoutGenerated(row: Row): Row {
  const shown = Object.entries(row).filter(([name]) => !name.startsWith(generated));
  return { ...Object.fromEntries(shown), id: row.id };
}

/** The kinds of changes. Each returns its statements, or none if the current definition does not allow the change. */
const kinds: Readonly<Record<string, (draw: Draw) => readonly string[]>> = {
  'a default': (draw) => add(draw, `text DEFAULT 'd${draw.random.below(100)}'`),
  'a default of each row': (draw) => add(draw, 'text DEFAULT md5(random()::text)'),
  'no value': (draw) => add(draw, 'int'),
  'a generated column': (draw) =>
    add({ ...draw, fresh: `${generated}${draw.fresh}` }, `text GENERATED ALWAYS AS (title || '!') STORED`),
  'an enum': (draw) => add(draw, `mood DEFAULT '${draw.random.pick(draw.labels)}'`),
  // The log does not report a new name for a label that rows have, so the service notices it some seconds later.
  'a renamed label': ({ random, labels, others }) =>
    others.some(({ type }) => type === 'mood')
      ? []
      : [`ALTER TYPE mood RENAME VALUE '${random.pick(labels)}' TO 'label ${random.id()}'`],
  'a dropped column': ({ random, others }) =>
    others.length === 0 ? [] : [`ALTER TABLE lists DROP COLUMN ${random.pick(others).name}`],
  'another type': (draw) =>
    ofOne(draw, ({ name, type }) => {
      const other = type === 'integer' ? `text USING 'n' || ${name}` : `int USING length(${name}::text)`;
      return [`ALTER TABLE lists ALTER ${name} DROP DEFAULT, ALTER ${name} TYPE ${other}`];
    }),
  'a shorter type': (draw) =>
    ofOne(draw, ({ name }) => [
      `ALTER TABLE lists ALTER ${name} DROP DEFAULT, ALTER ${name} TYPE varchar(3) USING left(${name}::text, 3)`,
    ]),
  'a longer type': (draw) =>
    ofOne(draw, ({ name, type }) =>
      type.startsWith('character') ? [`ALTER TABLE lists ALTER ${name} TYPE varchar(9)`] : [],
    ),
  'another name': ({ random, others, fresh }) =>
    ofOne({ random, others }, ({ name }) => [`ALTER TABLE lists RENAME ${name} TO ${fresh}`]),
  'names that are swapped': ({ others, fresh }) => {
    const [one, other] = others.filter(({ isGenerated }) => !isGenerated);
    if (one === undefined || other === undefined) return [];
    return [
      `ALTER TABLE lists RENAME ${one.name} TO ${fresh}`,
      `ALTER TABLE lists RENAME ${other.name} TO ${one.name}`,
      `ALTER TABLE lists RENAME ${fresh} TO ${other.name}`,
    ];
  },
  'another default': (draw) =>
    ofOne(draw, ({ name, type }) => [
      `ALTER TABLE lists ALTER ${name} SET DEFAULT ${type === 'integer' ? 7 : 'NULL'}`,
    ]),
  'values that are demanded': () => [
    'ALTER TABLE lists ALTER title DROP NOT NULL',
    'ALTER TABLE lists ALTER title SET NOT NULL',
  ],
  'another table of its name': ({ others, isListed }) => {
    const given = ['id', 'title', ...others.filter((other) => !other.isGenerated).map(({ name }) => name)];
    return [
      'CREATE TABLE lists_new (LIKE lists INCLUDING ALL)',
      `INSERT INTO lists_new (${given}) SELECT ${given} FROM lists`,
      'DROP TABLE lists',
      'ALTER TABLE lists_new RENAME TO lists',
      ...(isListed ? ['ALTER PUBLICATION powersync ADD TABLE lists'] : []),
    ];
  },
  'a table that is away for a moment': () => [
    'ALTER TABLE lists RENAME TO lists_away',
    `UPDATE lists_away SET title = 'away' WHERE id = 'l4'`,
    'ALTER TABLE lists_away RENAME TO lists',
  ],
  'a table that is elsewhere for a moment': () => [
    'CREATE SCHEMA elsewhere',
    'ALTER TABLE lists SET SCHEMA elsewhere',
    `UPDATE elsewhere.lists SET title = 'elsewhere' WHERE id = 'l5'`,
    'ALTER TABLE elsewhere.lists SET SCHEMA public',
    'DROP SCHEMA elsewhere',
  ],
  'a rewritten table': ({ primaryKey }) => [`CLUSTER lists USING ${primaryKey}`],
  'another primary key': ({ primaryKey }) => [
    `ALTER TABLE lists DROP CONSTRAINT ${primaryKey}, ADD PRIMARY KEY (id)`,
  ],
  'a table that is emptied and filled': ({ others }) => {
    const given = ['id', 'title', ...others.filter((other) => !other.isGenerated).map(({ name }) => name)];
    return [
      'CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM lists',
      'TRUNCATE lists',
      `INSERT INTO lists (${given}) SELECT ${given} FROM kept`,
      'DROP TABLE kept',
    ];
  },
};

export const definitionKinds = Object.keys(kinds).length;

function add({ others, fresh }: Draw, definition: string): readonly string[] {
  return others.length >= mostColumns
    ? others.slice(0, 2).map(({ name }) => `ALTER TABLE lists DROP COLUMN ${name}`)
    : [`ALTER TABLE lists ADD COLUMN ${fresh} ${definition}`];
}

/** Returns the statements for a random column. Excludes generated columns, whose expression determines their type and default. */
function ofOne(
  { random, others }: Pick<Draw, 'random' | 'others'>,
  statementsFor: (column: Column) => readonly string[],
): readonly string[] {
  const plain = others.filter((other) => !other.isGenerated);
  return plain.length === 0 ? [] : statementsFor(random.pick(plain));
}
