import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRule } from '../../../scripts/pages/ruleText.ts';
import { codeGroups, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../../server/engine/index.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { readFixture } from '../../support/engine/fixture.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }, { catalog }) => analyze(text, { kind: 'sync', catalog }).findings);
}

describe('A comment ignores findings', () => {
  test('on its own line', () =>
    expectFindings(`
      config:
        edition: 3
        storage_version: 3 # headwater-ignore unstable-storage-version
      streams: {}
    `));

  test('on the next line', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-version: we know
        storage_version: 3
      streams: {}
    `));

  test('on the lines below it that are indented more deeply', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        # headwater-ignore unnamed-column

        # and why
        tasks:
          query: |
            SELECT id, upper(title)
            FROM tasks
        lists:
          query: SELECT id, upper(title) FROM lists
      #~                    ^^^^^^^^^^^^ warning unnamed-column
    `));

  test('in the SQL text that contains it', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        tasks:
          query: |
            SELECT id,
              -- headwater-ignore unnamed-column
              upper(title)
            FROM tasks
    `));

  test('of several codes', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        tasks: # headwater-ignore unnamed-column, ignored-statement
          query: SELECT id, upper(title) FROM tasks; SELECT 1
    `));

  test('together with an adjacent comment', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        # headwater-ignore unnamed-column
        # headwater-ignore ignored-statement
        tasks:
          query: SELECT id, upper(title) FROM tasks; SELECT 1
    `));
});

describe('A comment is reported as unused', () => {
  test('if it ignores nothing', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-version
      #~                   ^^^^^^^^^^^^^^^^^^^^^^^^ hint unused-ignore "not reported here"
        storage_version: 2
      streams: {}
    `));

  test('if its code does not exist', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-versoin
      #~                   ^^^^^^^^^^^^^^^^^^^^^^^^ hint unused-ignore "did you mean \`unstable-storage-version\`"
        storage_version: 3
      #~                 ^ warning unstable-storage-version
      streams: {}
    `));

  test('if it names an error', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unknown-key
      #~                   ^^^^^^^^^^^ hint unused-ignore "cannot be ignored"
        colour: red
      #~^^^^^^ error unknown-key
      streams: {}
    `));
});

test('A comment is not reported as unused while the config has an error', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      # headwater-ignore unnamed-column
      tasks:
        query: SELECT id, upper(title FROM tasks
    #~                                ^^^^ error sql-syntax
  `));

test('A comment about the source schema is not reported as unused if the schema is unknown', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      tasks:
        query: SELECT * FROM tasks # headwater-ignore unknown-table
  `));

test('Text outside a comment ignores nothing', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      headwater-ignore unnamed-column:
        query: SELECT id, upper(title) AS "x#headwater-ignore unnamed-column", lower(title) FROM tasks
    #~                                                                         ^^^^^^^^^^^^ warning unnamed-column
  `));

/** The configs that come with tables and have findings: the wrong examples of the rule pages, and the drawn fixtures. */
const configsWithTables: readonly (readonly [name: string, text: string, catalog: Catalog])[] = [
  ...[...codeGroups]
    .flatMap(([group, codes]) => (group === 'Access tests' ? [] : codes))
    .flatMap((code) => {
      const { examples } = readRule(code);
      const tables = examples.find(({ is }) => is === 'With these tables');
      const wrong = examples.find(({ is }) => is === 'Wrong');
      return tables && wrong ? [[code, wrong.text, readCatalog(tables.text)] as const] : [];
    }),
  ...readdirSync('test/fixtures/rules').flatMap((name) => {
    const { files, catalog } = readFixture(readFileSync(`test/fixtures/rules/${name}`, 'utf8'));
    return catalog === undefined ? [] : files.map(({ text }) => [name, text, catalog] as const);
  }),
];

test.each(configsWithTables)(
  'A comment that ignores a finding is not reported as unused if the tables are unknown: %s',
  (_, text, catalog) => {
    const found = analyze(text, { kind: 'sync', catalog }).findings.map(({ code }) => code);
    const ignored = found.filter((code) => severityOf(code) !== 'error').join(', ');
    const commented = text.replace(
      /^(?=streams:|bucket_definitions:|with:)/gm,
      `# headwater-ignore ${ignored}\n`,
    );
    const useless = analyze(commented, { kind: 'sync' }).findings.filter(
      ({ code }) => code === 'unused-ignore',
    );
    expect(useless.map(({ args }) => args)).toEqual([]);
  },
);
