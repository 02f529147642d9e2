import { describe, expect, test } from 'vitest';
import { analyze, messageOf } from '../../../server/engine/index.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }) => analyze(text, { kind: 'sync' }).findings);
}

describe('At the top', () => {
  test('an empty file defines nothing', () => expectFindings('#~@0-0 error missing-definitions\n'));

  test('comments define nothing', () =>
    expectFindings(`
      # soon
      #~@0-6 error missing-definitions
    `));

  test('a document start alone defines nothing', () =>
    expectFindings(`
      ---
      #~@0-3 error missing-definitions
    `));

  test('a single word is not a map', () =>
    expectFindings(`
      stre
      #~@0-4 error config-not-a-map
    `));

  test('edition 3 needs streams', () =>
    expectFindings(`
      config:
      #~@0-6 error missing-streams
        edition: 3
    `));

  test('a misspelt section is reported, and nothing is missing because of it', () =>
    expectFindings(`
      confg:
      #~@0-5 error unknown-key "did you mean \`config\`"
        edition: 3
      streams:
        a:
          query: SELECT * FROM tasks
    `));

  test('an option needs a space between its colon and its value', () =>
    expectFindings(`
      config:
        edition:3
      #~^^^^^^^^^ error expected-map "needs a space"
      streams:
        a:
          query: SELECT * FROM tasks
    `));

  test('a misplaced edition is reported but still used', () =>
    expectFindings(`
      edition: 3
      #~@0-7 error unknown-key "below \`config\`"
      streams:
        a:
          queries: [SELECT * FROM tasks]
    `));

  test('a misspelt `streams` is not also reported as missing', () =>
    expectFindings(`
      config:
        edition: 3
      stream:
      #~@0-6 error unknown-key "did you mean \`streams\`"
        a:
          query: SELECT * FROM tasks
    `));

  test('sections must be maps', () =>
    expectFindings(`
      config: 3
      #~      ^ error expected-map
      with: []
      #~    ^^ error expected-map
      streams:
      #~@0-7 error expected-map
    `));

  test('a key cannot be a list', () =>
    expectFindings(`
      config: {edition: 3}
      streams: {}
      [a]: b
      #~@0-3 error complex-key
    `));
});

describe('The edition', () => {
  test('in quotes is refused but still read', () =>
    expectFindings(`
      config:
        edition: "3"
      #~         ^^^ error expected-number
      with:
        mine: SELECT id FROM lists WHERE owner = auth.user_id()
      streams:
        a:
          queries:
            - SELECT * FROM tasks WHERE list IN mine
    `));

  test('is inferred from the sections if it has no value', () =>
    expectFindings(`
      config:
        edition:
      #~@2-9 error expected-number
      streams:
        a:
          queries: [SELECT * FROM tasks]
    `));

  test('is 1, 2 or 3', () =>
    expectFindings(`
      config:
        edition: 4
      #~         ^ error schema-violation "must be 1, 2 or 3"
      streams: {}
    `));

  test('cannot be a list', () =>
    expectFindings(`
      config:
        edition: [3]
      #~         ^^^ error expected-scalar
      streams: {}
    `));

  test('may be written in any YAML notation for numbers', () =>
    expectFindings(`
      config:
        edition: 0x3
      streams: {}
    `));

  test('is 1 without `config`, and edition 1 has no streams', () =>
    expectFindings(`
      streams:
        a:
      #~@2-+1:30 warning alpha-streams
          query: SELECT * FROM tasks
      #~         ^^^^^^^^^^^^^^^^^^^ error streams-require-edition-2
    `));

  test('is 1 if `config` does not set it', () =>
    expectFindings(`
      config:
        fixed_json_extract: true
      streams: {}
      #~       ^^ warning alpha-streams
    `));

  test('2 has neither CTEs nor streams with several queries', () =>
    expectFindings(`
      config:
        edition: 2
      with:
        g: SELECT id FROM lists
      #~^^^^^^^^^^^^^^^^^^^^^^^ error cte-requires-edition-3
      streams:
        a:
      #~@2-+4:27 warning alpha-streams
          with:
            c: SELECT id FROM lists
      #~    ^^^^^^^^^^^^^^^^^^^^^^^ error cte-requires-edition-3
          queries:
            - SELECT * FROM tasks
      #~    ^^^^^^^^^^^^^^^^^^^^^ error queries-requires-edition-3
    `));

  test('3 has no bucket definitions, so their content is not checked', () =>
    expectFindings(`
      config:
        edition: 3
      streams: {}
      bucket_definitions:
        a:
      #~@2-+2:26 error bucket-definitions-in-edition-3
          data:
            - SELECT * FRM tasks
    `));
});

describe('Options', () => {
  test('are true or false', () =>
    expectFindings(`
      config:
        edition: 3
        timestamps_iso8601: yes
      #~                    ^^^ error expected-boolean
        fixed_json_extract:
      #~@2-20 error expected-boolean
        versioned_bucket_ids: *a
      #~                      ^^ error expected-scalar
      streams: {}
    `));

  test('accept only supported storage versions', () =>
    expectFindings(`
      config:
        edition: 3
        storage_version: 1
      #~                 ^ error unsupported-storage-version
      streams: {}
      === b.yaml
      config:
        edition: 3
        storage_version: 3
      #~                 ^ warning unstable-storage-version
      streams: {}
      === c.yaml
      config:
        edition: 3
        storage_version: two
      #~                 ^^^ error expected-number
      streams: {}
    `));

  test('accept four time precisions', () =>
    expectFindings(`
      config:
        edition: 3
        timestamp_max_precision: second
      #~                         ^^^^^^ error unknown-time-precision "did you mean \`seconds\`"
      streams: {}
    `));

  test('must be compatible with each other', () =>
    expectFindings(`
      config:
        edition: 2
      #~@2-+3:34 error sqlite-engine-needs-edition-3
      #~@2-+3:34 error time-precision-needs-iso8601
        timestamps_iso8601: false
        unstable_sqlite_expression_engine: true
        timestamp_max_precision: seconds
      bucket_definitions: {}
    `));

  test('are reported if they are misspelt', () =>
    expectFindings(`
      config:
        editon: 3
      #~^^^^^^ error unknown-key "did you mean \`edition\`"
      bucket_definitions: {}
    `));
});

describe('A stream', () => {
  const inStream = (lines: string) =>
    expectFindings(
      `config:\n  edition: 3\nstreams:\n  a:\n${lines.replace(/^\n/, '').replace(/^ {6}/gm, '')}`,
    );

  test('must be a map', () =>
    expectFindings(`
      config: {edition: 3}
      streams:
        a: SELECT * FROM tasks
      #~   ^^^^^^^^^^^^^^^^^^^ error expected-map "\`a\`"
        b:
      #~@2-3 error expected-map "\`b\`"
        c: *x
      #~   ^^ error expected-map
    `));

  test('needs one or several queries', () =>
    inStream(`
          priority: 1
      #~  ^^^^^^^^^^^ error query-or-queries "needs"
    `));

  test('is not reported as incomplete if its query has a misspelt key, or a key of bucket definitions', () =>
    expectFindings(`
      config: {edition: 3}
      streams:
        a:
          querry: SELECT * FROM tasks
      #~  ^^^^^^ error unknown-key "did you mean \`query\`"
        b:
          data: [SELECT * FROM tasks]
      #~  ^^^^ error unknown-key "has \`query\` or \`queries\`"
        c:
          priorty: 1
      #~  ^^^^^^^^^^ error query-or-queries
      #~  ^^^^^^^ error unknown-key "did you mean \`priority\`"
    `));

  test('is not a map if its key is indented too little, or lacks the space after its colon', () =>
    expectFindings(`
      config: {edition: 3}
      streams:
        a:
      #~@2-3 error expected-map
        query: SELECT * FROM tasks
      #~       ^^^^^^^^^^^^^^^^^^^ error expected-map "belongs to the stream above"
        b:
          query:SELECT * FROM tasks
      #~  ^^^^^^^^^^^^^^^^^^^^^^^^^ error expected-map "needs a space"
    `));

  test('cannot have a query that a comment cuts off', () =>
    inStream(`
          query: SELECT * FROM tasks WHERE tag = ' #1'
      #~                                         ^ error sql-syntax "starts a comment"
    `));

  test('cannot merge another stream', () =>
    inStream(`
          query: SELECT * FROM tasks
          <<: *other
      #~  ^^ error unknown-key "do not merge"
    `));

  test('cannot have both `query` and `queries`', () =>
    inStream(
      `
          query: SELECT * FROM a
      #~@4-+1:30 error query-or-queries "both"
          queries: [SELECT * FROM b]
    `,
    ));

  test('cannot have a key of bucket definitions', () =>
    inStream(`
          query: SELECT * FROM a
          data: []
      #~  ^^^^ error unknown-key "belongs to bucket definitions"
    `));

  test('has a priority from 0 to 3', () => {
    for (const wrong of ['4', '-1', '1.5', '"1"', 'high', '[1]'])
      inStream(`
          query: SELECT * FROM a
          priority: ${wrong}
      #~            ${'^'.repeat(wrong.length)} error invalid-priority
      `);
    for (const right of ['0', '3', '2.0', '0x2'])
      inStream(`    query: SELECT * FROM a\n    priority: ${right}\n`);
  });

  test('must have single values as its queries', () =>
    inStream(`
          queries:
            - [SELECT * FROM a]
      #~      ^^^^^^^^^^^^^^^^^ error expected-scalar
            -
      #~@6-7 error expected-scalar
            - *b
      #~      ^^ error expected-scalar
            - SELECT * FROM c
    `));

  test('must have a list as `queries`', () =>
    inStream(`
          queries: SELECT * FROM a
      #~           ^^^^^^^^^^^^^^^ error expected-sequence
    `));

  test('has its query read as SQL even if it looks like a number', () =>
    inStream(`
          query: 5
      #~         ^ error sql-syntax
    `));

  test('can have any text as its name', () =>
    expectFindings(
      `
      config: {edition: 3}
      streams:
        "a b|#": {query: SELECT * FROM a}
        1: {query: SELECT * FROM a}
      #~^ error expected-string
        true: {query: SELECT * FROM a}
      #~^^^^ error expected-string
    `,
    ));

  test('cannot have a list as its name', () =>
    expectFindings(`
      config: {edition: 3}
      streams:
        [a]: {query: SELECT * FROM a}
      #~^^^ error expected-scalar
    `));

  test('cannot merge another stream before its query', () =>
    inStream(`
          <<: *b
      #~  ^^ error unknown-key
          query: SELECT * FROM a
    `));
});

describe('A CTE', () => {
  test('is a single SQL text', () =>
    expectFindings(`
      config: {edition: 3}
      with:
        a: [SELECT id FROM b]
      #~   ^^^^^^^^^^^^^^^^^^ error expected-scalar
        b:
      #~@2-3 error expected-scalar
      streams: {}
    `));

  test('that no stream uses is reported', () =>
    expectFindings(`
      config: {edition: 3}
      with:
        used: SELECT id FROM lists WHERE owner = auth.user_id()
        unused: SELECT id FROM lists
      #~^^^^^^ warning unused-cte
      streams:
        a:
          query: SELECT * FROM tasks WHERE list IN used
        b:
          with:
            unused: SELECT id FROM boats WHERE owner = auth.user_id()
          query: SELECT * FROM tasks WHERE list IN unused
    `));

  test('with an error is not reported as unused', () =>
    expectFindings(`
      config: {edition: 3}
      with:
        a: DELETE FROM lists
      #~   ^^^^^^^^^^^^^^^^^ error not-a-select
      streams: {}
    `));
});

describe('A bucket definition', () => {
  test('is not reported as incomplete if it has a `query` instead of `data`', () =>
    expectFindings(`
      bucket_definitions:
        a:
          query: SELECT * FROM tasks
      #~  ^^^^^ error unknown-key "has a list of \`data\`"
        b:
          auto_subscribe: true
      #~  ^^^^^^^^^^^^^^^^^^^^ error missing-key
      #~  ^^^^^^^^^^^^^^ error unknown-key
    `));

  test('must be a map with data', () =>
    expectFindings(`
      bucket_definitions:
        a:
      #~@2-3 error bucket-definition-not-a-map
        b: x
      #~   ^ error bucket-definition-not-a-map
        c: {}
      #~   ^^ error missing-key
        d:
          data: SELECT * FROM tasks
      #~        ^^^^^^^^^^^^^^^^^^^ error expected-sequence
        e:
          data: []
    `));

  test('cannot have a key of streams', () =>
    expectFindings(`
      bucket_definitions:
        a:
          data: []
          query: SELECT * FROM tasks
      #~  ^^^^^ error unknown-key "belongs to streams"
    `));

  test('has a text or a list as its parameters', () =>
    expectFindings(`
      bucket_definitions:
        a:
          parameters: {b: 1}
      #~              ^^^^^^ error parameters-wrong-type
          data:
            - SELECT * FROM tasks WHERE owner = bucket.owner
        b:
          parameters:
      #~@4-14 error expected-scalar
          data: []
    `));

  test('cannot have the same name as a stream', () =>
    expectFindings(`
      config: {edition: 2}
      streams:
        a: {query: SELECT * FROM tasks}
      #~@2-33 warning alpha-streams
      bucket_definitions:
        a: {data: []}
      #~^ error duplicate-definition
    `));
});

describe('An event', () => {
  test('is a map with payloads', () =>
    expectFindings(`
      config: {edition: 3}
      streams: {}
      event_definitions:
        a: x
      #~   ^ error event-not-a-map
        b:
          payloads: SELECT a FROM b
      #~            ^^^^^^^^^^^^^^^ error event-payloads-not-a-list
        c:
          payloads:
            - {q: SELECT a FROM b}
      #~      ^^^^^^^^^^^^^^^^^^^^ error event-payload-not-a-string
        d: {}
      #~   ^^ error schema-violation
    `));
});

test.each([
  ['config: { edition: 3 }\nstreams:\n', '`streams` has no value. It must be a map of keys and values.'],
  [
    'config: { edition: 3 }\nstreams:\n  a:\n    query:\n',
    '`query` has no value. It must be a single value.',
  ],
  [
    'bucket_definitions:\n  a:\n    data:\n',
    '`data` has no value. It must be a list: put each item after a dash.',
  ],
  ['config: { edition: }\nstreams: {}\n', '`edition` has no value. It must be a number, without quotes.'],
  ['config: { edition: 3 }\nstreams: 5\n', '`streams` must be a map of keys and values.'],
])('A missing value is reported as missing: %j', (text, sentence) => {
  expect(analyze(text, { kind: 'sync' }).findings.map(messageOf)).toContain(sentence);
});

test('An unreadable value is not also reported as missing', () => {
  const { findings } = analyze('config: { edition: 3 }\nstreams:\n\ta: { query: SELECT * FROM b }\n', {
    kind: 'sync',
  });
  expect(findings.map(({ code }) => code)).toEqual(['yaml-syntax']);
});
