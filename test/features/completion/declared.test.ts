/** Completions that come first because the source declares them: keys of other tables, and possible values of a column. */
import { describe, expect, test } from 'vitest';
import { analyze, readScripts } from '../../../server/engine/index.ts';
import { prismaToSql } from '../../../server/engine/project/prisma.ts';
import { completions } from '../../../server/features/completion/completion.ts';

const migrations = `
CREATE TYPE urgency AS ENUM ('low', 'high');
ALTER TYPE urgency ADD VALUE IF NOT EXISTS 'top';
CREATE TABLE people (id uuid PRIMARY KEY, name text, account uuid);
CREATE TABLE boats (
  id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('open', 'it''s done')),
  level urgency,
  afloat boolean,
  skipper uuid REFERENCES people (id) ON DELETE CASCADE,
  built_in uuid
);
CREATE TABLE yards (code uuid PRIMARY KEY, city text);
ALTER TABLE boats ADD CONSTRAINT built FOREIGN KEY (built_in) REFERENCES yards (code);`;

const prisma = `
datasource db {
  provider = "postgresql"
}
enum Urgency {
  low
  high
  top
}
model Person {
  id String @id
  name String
  account String
  boats Boat[]
  @@map("people")
}
model Boat {
  id String @id
  level Urgency
  afloat Boolean
  skipperId String @map("skipper")
  skipper Person @relation("sails", fields: [skipperId], references: [id], onDelete: Cascade)
  @@map("boats")
}`;

const styles: Readonly<Record<string, (query: string) => string>> = {
  'a block': (query) => `    query: |\n      ${query}\n`,
  'a folded block': (query) => `    query: >-\n      ${query}\n`,
  'a plain value': (query) => `    query: ${query}\n`,
  'a list': (query) => `    queries:\n      - ${query}\n`,
};

type Positions = readonly (readonly [query: string, first: readonly string[]])[];

const ofBoth: Positions = [
  ['SELECT * FROM boats WHERE level = ¦', ["'low'", "'high'", "'top'"]],
  ['SELECT * FROM boats b WHERE b.level != ¦', ["'low'", "'high'", "'top'"]],
  ["SELECT * FROM boats WHERE level = '¦'", ['low', 'high', 'top']],
  ['SELECT * FROM boats WHERE afloat = ¦', ['TRUE', 'FALSE']],
  ['SELECT boats.* FROM boats JOIN people ON ¦', ['people.id = boats.skipper']],
  ['SELECT b.* FROM boats b JOIN people p ON ¦', ['p.id = b.skipper']],
  ['SELECT p.* FROM people p JOIN boats b ON ¦', ['b.skipper = p.id']],
  ['SELECT people.* FROM people JOIN ¦', ['boats ON boats.skipper = people.id']],
];

const ofSql: Positions = [
  ...ofBoth,
  ['SELECT * FROM boats WHERE status = ¦', ["'open'", "'it''s done'"]],
  ["SELECT * FROM boats WHERE status = '¦'", ['open', "it's done"]],
  ["SELECT * FROM boats WHERE afloat AND status <> 'o¦'", ['open', "it's done"]],
  [
    'SELECT boats.* FROM boats JOIN ¦',
    ['people ON people.id = boats.skipper', 'yards ON yards.code = boats.built_in'],
  ],
  ['SELECT boats.* FROM boats JOIN yards ON ¦', ['yards.code = boats.built_in']],
  ['SELECT y.* FROM yards y JOIN boats b ON ¦', ['b.built_in = y.code']],
];

describe.each(Object.keys(styles))('In %s, with migrations', (style) => {
  test.each(ofSql)('%s', (query, first) => {
    expect(labelsAt(migrations, style, query).slice(0, first.length)).toEqual(first);
  });
});

describe('With a Prisma schema', () => {
  test.each(ofBoth)('%s', (query, first) => {
    expect(labelsAt(prismaToSql(prisma) ?? '', 'a block', query).slice(0, first.length)).toEqual(first);
  });
});

function labelsAt(sql: string, style: string, query: string): readonly string[] {
  const drawn = `config:\n  edition: 3\nstreams:\n  mine:\n${styles[style]?.(query) ?? ''}`;
  const source = readScripts([{ path: 'schema.sql', text: sql }]);
  const analysis = analyze(drawn.replace('¦', ''), { kind: 'sync', ...source });
  const found = completions(analysis, drawn.indexOf('¦'), { environmentNames: () => [], others: () => [] });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ label }) => label);
}
