/** Every valid recorded example of an older edition is either migrated or refused with a reason. */
import { describe, expect, test } from 'vitest';
import { severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../../server/engine/index.ts';
import { type MigrateInput, migrateToStreams } from '../../../server/engine/migrate/migrate.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import { reachedRows, readRecorded } from '../../support/engine/evaluation.ts';
import { type Example, readExamples } from '../../support/engine/examples.ts';
import { plansOf } from '../../support/engine/plans.ts';

/** Examples that streams cannot express, with the reason that the migration reports. */
const refused: Readonly<Record<string, string>> = {
  'f17-wildcards':
    '`b` cannot be migrated. Its table piers is read from the connection `east`; streams read only the default one.',
  'f37-missing-arguments': '`b` cannot be migrated. It uses json_valid(), which streams do not support.',
};

/** Examples whose rows may differ after the migration, with the reason. See the heading of `migrate.ts`. */
const differing: Readonly<Record<string, string>> = {
  'f10-bucket-in-row-array': 'a token whose user id is `true` meets a list that holds `true`',
};

const older = readExamples().filter(({ text, defaultSchema }) => {
  const { config, findings } = analyze(text, { kind: 'sync', defaultSchema });
  return (
    config?.surroundings.options.edition !== 3 && !findings.some(({ code }) => severityOf(code) === 'error')
  );
});

test('there are more than 25 examples', () => {
  expect(older.length).toBeGreaterThan(25);
});

test.each(older.filter(({ name }) => name in refused))(
  '$name is refused, with a reason',
  ({ name, text }) => {
    expect(migrateToStreams(text)).toMatchObject({ kind: 'refused', reasons: [{ sentence: refused[name] }] });
  },
);

describe.each(older.filter(({ name }) => !(name in refused)))(
  '$name',
  ({ name, text, defaultSchema }: Example) => {
    const recorded = readRecorded(name);
    const migrated = migratedText(text, { defaultSchema, catalog: catalogOf(recorded, defaultSchema) });

    test('returns the same rows for the same requests after the migration', () => {
      const rowsOf = (config: string) => {
        const { plans, options } = plansOf(config, defaultSchema);
        return reachedRows(recorded, plans, options);
      };
      if (name in differing) expect(rowsOf(migrated)).not.toEqual(rowsOf(text));
      else expect(rowsOf(migrated)).toEqual(rowsOf(text));
    });

    test('has no errors after the migration, and nothing left to migrate', () => {
      const { findings } = analyze(migrated, { kind: 'sync', defaultSchema });
      expect(findings.filter(({ code }) => severityOf(code) === 'error')).toEqual([]);
      expect(migrateToStreams(migrated)).toEqual({ kind: 'current' });
    });
  },
);

function migratedText(text: string, input: MigrateInput): string {
  const migration = migrateToStreams(text, input);
  if (migration.kind !== 'migrated') throw new Error(JSON.stringify(migration));
  return migration.text;
}

/** Returns a catalog with the columns of the recorded rows. */
function catalogOf({ input }: ReturnType<typeof readRecorded>, defaultSchema: string): Catalog {
  const tables = new Map<string, Map<string, { readonly name: string }>>();
  for (const row of input?.rows ?? []) {
    const { table, record } = row as { table: string; record: object };
    const columns = tables.get(table) ?? new Map();
    for (const name of Object.keys(record)) columns.set(name, { name });
    tables.set(table, columns);
  }
  return {
    version: '1',
    tables: [...tables].map(([table, columns]) => {
      const [name = '', schema = defaultSchema, tag = 'default'] = table.split('.').reverse();
      return { tag, schema, name, columns };
    }),
  };
}
