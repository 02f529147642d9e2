/** Access tests in an editor: every request is answered at any prefix of any file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  analyze,
  noSeeds,
  prepareTests,
  readSqlFiles,
  readTests,
  toTestSubject,
} from '../../server/engine/index.ts';
import { span } from '../../server/engine/text/span.ts';
import { testActions } from '../../server/features/tests/actions.ts';
import { testCompletions } from '../../server/features/tests/completion.ts';
import { testDefinition } from '../../server/features/tests/definition.ts';
import { testHover } from '../../server/features/tests/hover.ts';
import type { TestsInEditor } from '../../server/features/tests/inEditor.ts';
import { testLenses } from '../../server/features/tests/lenses.ts';
import { root } from '../support/house/imports.ts';

const read = (path: string) => readFileSync(join(root, 'examples', path), 'utf8');
const known = readSqlFiles([{ path: 'schema.sql', text: read('team-chat/schema.sql') }]);
const config = analyze(read('team-chat/sync.yaml'), { ...known, kind: 'sync' });
const world = { environmentNames: () => [], others: () => [], configs: ['sync.yaml'] };

function openTests(text: string, tested = true): TestsInEditor {
  const prepared = prepareTests(readTests(text), {
    analysis: tested ? config : undefined,
    known,
    subjectOf: toTestSubject,
    seeds: noSeeds,
  });
  const analysis = analyze(text, { kind: 'tests' });
  return { analysis, prepared, ...(tested && { config }) };
}

function answersAt(tests: TestsInEditor, offset: number): readonly unknown[] {
  return [
    testCompletions(tests, offset, world),
    testHover(tests, offset),
    testDefinition(tests, offset),
    testActions(tests, span(offset, offset), []),
    testLenses(tests),
  ];
}

/** The distance between prefixes. It is a prime, so that they end at all kinds of places. */
const stride = 23;

describe.each(['team-chat/team-chat.sync-test.yaml', 'todo/todo.sync-test.yaml'])('%s', (path) => {
  const text = read(path);

  test('has answers at every place', () => {
    const tests = openTests(text);
    for (let at = 0; at <= text.length; at += 5) expect(answersAt(tests, at)).toHaveLength(5);
  });

  test('has answers at the end of every prefix, with and without a config', () => {
    for (let end = 0; end <= text.length; end += stride)
      for (const tested of [true, false])
        expect(answersAt(openTests(text.slice(0, end), tested), end)).toHaveLength(5);
  });

  test('has answers if any of its lines is missing', () => {
    const lines = text.split('\n');
    lines.forEach((_, index) => {
      const less = lines.toSpliced(index, 1).join('\n');
      expect(answersAt(openTests(less), Math.min(less.length, index * stride))).toHaveLength(5);
    });
  });
});

test.each(['', '- a', 'tests: 1', 'tests: [', 'always: {}', 'tests:\n- expect: &a { b: *a }', 'users: *x'])(
  'A text that is not a file of tests also has answers: %j',
  (text) => {
    for (let at = 0; at <= text.length; at++) expect(answersAt(openTests(text), at)).toHaveLength(5);
  },
);
