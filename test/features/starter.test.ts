import { expect, test } from 'vitest';
import { ownerColumnOf } from '../../server/engine/index.ts';
import type { Catalog } from '../../server/engine/model/catalog.ts';
import { starterFor } from '../../server/features/starter.ts';
import { readCatalog } from '../support/engine/catalog.ts';
import { labelsAt } from '../support/engine/completions.ts';

const names = ['owner_id', 'owner', 'owned_by', 'user_id', 'author_id', 'created_by', 'member_id'];
const pairs = names.flatMap((one) => names.filter((other) => other !== one).map((other) => [one, other]));

test.each(pairs)(
  'With %s and %s, the first config and completion use the same owner column',
  (one, other) => {
    const table = `create table notes (id text, ${one} text, ${other} text)`;
    const catalog: Catalog = readCatalog(table);
    const owner = ownerColumnOf({ name: 'notes', columns: ['id', one, other] });
    const query = `SELECT * FROM notes WHERE ${owner} = auth.user_id()`;
    expect(starterFor({ catalog, defaultSchema: 'public' }).text).toContain(`    query: ${query}\n`);
    const drawing = `config:\n  edition: 3\nstreams:\n  mine:\n    query: <|>\n=== catalog\n${table}`;
    expect(labelsAt(drawing)).toContain(query);
  },
);
