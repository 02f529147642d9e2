import { describe, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { expectMarks } from '../../support/engine/marks.ts';

function expectFindings(drawing: string): void {
  expectMarks(drawing, ({ text }) => analyze(text, { kind: 'sync' }).findings);
}

describe('What is no YAML in one place hides nothing elsewhere:', () => {
  test('a quote that is not closed', () =>
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

  test('a bracket that is not closed', () =>
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

  test('a stream in the making', () =>
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

  test('a section in the making', () =>
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

  test('an option in the making, whose edition is still read', () =>
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
  test('what stands before is judged, and what follows is not', () =>
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

  test('nothing is called missing', () =>
    expectFindings(`
      config:
        edition: 3
      strea
      #~@0-5 error yaml-syntax
    `));
});

test('Without a readable edition, the one that fits is taken', () =>
  expectFindings(`
    config
    #~@0-6 error yaml-syntax
      edition: 3
    streams:
      a:
        queries:
          - SELECT * FROM tasks
  `));

test('A broken file has all duplicates', () =>
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
