import { describe, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }, { catalog }) => analyze(text, { kind: 'sync', catalog }).findings);
}

describe('A comment ignores what is found', () => {
  test('in its line', () =>
    expectFindings(`
      config:
        edition: 3
        storage_version: 3 # headwater-ignore unstable-storage-version
      streams: {}
    `));

  test('in the next line', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-version: we know
        storage_version: 3
      streams: {}
    `));

  test('in the lines below that are indented deeper', () =>
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

  test('in an SQL text that it stands in', () =>
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

  test('of several comments above each other', () =>
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

describe('A comment is of no use', () => {
  test('that ignores nothing', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-version
      #~                   ^^^^^^^^^^^^^^^^^^^^^^^^ hint unused-ignore "not reported here"
        storage_version: 2
      streams: {}
    `));

  test('with a code that does not exist', () =>
    expectFindings(`
      config:
        edition: 3
        # headwater-ignore unstable-storage-versoin
      #~                   ^^^^^^^^^^^^^^^^^^^^^^^^ hint unused-ignore "did you mean \`unstable-storage-version\`"
        storage_version: 3
      #~                 ^ warning unstable-storage-version
      streams: {}
    `));

  test('that names an error', () =>
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

test('Where there is an error, a comment may be of use later', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      # headwater-ignore unnamed-column
      tasks:
        query: SELECT id, upper(title FROM tasks
    #~                                ^^^^ error sql-syntax
  `));

test('Without a source schema, comments on it are not judged', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      tasks:
        query: SELECT * FROM tasks # headwater-ignore unknown-table
  `));

test('Text that is no comment ignores nothing', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      headwater-ignore unnamed-column:
        query: SELECT id, upper(title) AS "x#headwater-ignore unnamed-column", lower(title) FROM tasks
    #~                                                                         ^^^^^^^^^^^^ warning unnamed-column
  `));
