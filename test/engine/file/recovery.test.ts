import { describe, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }) => analyze(text, { kind: 'sync' }).findings);
}

describe('Invalid YAML in one place does not hide findings elsewhere:', () => {
  test('an unclosed quote', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        a:
          query: "SELECT * FROM tasks
      #~         ^^^^^^^^^^^^^^^^^^^^ error yaml-syntax

        b:
          query: SELECT * FROM WHERE
      #~                       ^^^^^ error sql-syntax
          priority: 7
      #~            ^ error invalid-priority
    `));

  test('an unclosed bracket', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        a:
          queries: [SELECT * FROM tasks
      #~           ^ error yaml-syntax
        b:
          priority: 7
      #~            ^ error invalid-priority
          query: SELECT * FROM lists
    `));

  test('an incomplete stream', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        a:
          priority: 1
          quer
      #~  ^^^^ error yaml-syntax
        b:
          query: SELECT * FROM WHERE
      #~                       ^^^^^ error sql-syntax
    `));

  test('an incomplete section', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        a:
          priority: 7
      #~            ^ error invalid-priority
          query: SELECT * FROM lists
      wit
      #~@0-3 error yaml-syntax
    `));

  test('an incomplete option next to an edition, which is still read', () =>
    expectFindings(`
      config:
        edition: 3
        stor
      #~^^^^ error yaml-syntax
      streams:
        a:
          queries:
            - SELECT * FROM lists
    `));
});

describe('In the broken part itself', () => {
  test('only the text before the mistake is checked', () =>
    expectFindings(`
      config:
        edition: 3
      streams:
        a:
          priority: 7
      #~            ^ error invalid-priority
          query: SELECT note: FROM lists
      #~         ^^^^^^^^^^^^^^^^^^^^^^^ error yaml-syntax
          colour: red
    `));

  test('nothing is reported as missing', () =>
    expectFindings(`
      config:
        edition: 3
      strea
      #~@0-5 error yaml-syntax
    `));
});

test('If the edition cannot be read, the edition that fits the sections is used', () =>
  expectFindings(`
    config
    #~@0-6 error yaml-syntax
      edition: 3
    streams:
      a:
        queries:
          - SELECT * FROM tasks
  `));

test('All duplicate keys of a broken file are reported', () =>
  expectFindings(`
    config:
      edition: 3
    streams:
      a:
        query: SELECT * FROM a
      b: "
    #~   ^ error yaml-syntax
      a:
    #~^ error yaml-duplicate-key "line 4"
        query: SELECT * FROM a
    streams: {}
    #~@0-7 error yaml-duplicate-key "line 3"
  `));
