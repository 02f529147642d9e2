import { SqlSyncRules } from '@powersync/service-sync-rules';
import { describe, expect, test } from 'vitest';
import { castAlternatives, castTypes } from '../../../server/engine/sql/casts.ts';
import {
  functionAlternatives,
  functions,
  metadataFunctions,
  requestFunctions,
  tableFunctions,
} from '../../../server/engine/sql/functions.ts';
import { operators } from '../../../server/engine/sql/operators.ts';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';
import { reservedWords } from '../../../server/engine/sql/words.ts';

const inStreams = [...functions.values()].filter(({ only }) => only !== 'before 3');

describe('functions of streams', () => {
  test.each(inStreams)('$name takes as many arguments as in the reference', ({ name, min, max }) => {
    for (let count = 0; count <= 5; count++) {
      const args = Array.from({ length: count }, () => 'a').join(', ');
      expect([count, isAccepted(`${name}(${args})`)]).toEqual([count, count >= min && count <= max]);
    }
  });

  test.each(requestFunctions.filter(({ scope }) => scope === 'streams'))(
    '$signature is known to the reference',
    ({ schema, name, min }) => {
      expect(isAccepted(`${schema}.${name}(${min === 1 ? "'x'" : ''})`)).toBe(true);
    },
  );

  test.each([...functionAlternatives.keys()].filter((name) => !functions.has(name)))(
    '%s, which has an alternative, is refused by the reference',
    (name) => {
      expect(isAccepted(`${name}(a, 1)`)).toBe(false);
    },
  );
});

describe('operators of streams', () => {
  const binary = [...operators.values()].filter(({ op }) =>
    /^[^A-Z]|^(AND|OR|(NOT )?I?LIKE|AT TIME ZONE)$/.test(op),
  );
  test.each(binary.filter(({ op }) => op !== '&&'))('$op: $streams', ({ op, streams }) => {
    const right = op.startsWith('->') ? "'b'" : 'b';
    expect(isAccepted(`a ${op} ${right}`)).toBe(streams !== 'no');
  });
});

test('exactly the cast types are accepted by the reference', () => {
  for (const type of castTypes.keys()) expect([type, isAccepted(`a::${type}`)]).toEqual([type, true]);
  for (const type of castAlternatives.keys())
    expect([type, isAccepted(`CAST(a AS ${type})`)]).toEqual([type, false]);
  for (const type of castAlternatives.values()) expect(castTypes.has(type)).toBe(true);
});

test('reserved words cannot be an alias in the reference', () => {
  for (const word of reservedWords) {
    expect([word, isAccepted('a', `SELECT a AS ${word} FROM t`)]).toEqual([word, false]);
  }
});

test('every example can be read', () => {
  const rows = [
    ...functions.values(),
    ...requestFunctions,
    ...metadataFunctions.values(),
    ...tableFunctions.values(),
  ];
  for (const { example } of rows) {
    const query = /^(SELECT|WHERE)/.test(example)
      ? example.replace(/^WHERE/, 'SELECT * FROM t WHERE')
      : `SELECT ${example}`;
    expect([example, parseSql(query).problems]).toEqual([example, []]);
  }
});

/** Whether the reference has no error in a stream with this condition. */
function isAccepted(condition: string, query = `SELECT * FROM t WHERE ${condition}`): boolean {
  const text = `config:\n  edition: 3\nstreams:\n  s:\n    query: ${JSON.stringify(query)}\n`;
  const { errors } = SqlSyncRules.fromYaml(text, { throwOnError: false, defaultSchema: 'public' });
  return errors.every(({ type }) => type === 'warning');
}
