import { describe, expect, test } from 'vitest';
import { signature } from '../../server/features/signature.ts';
import { bracketed, openDrawn } from '../support/engine/drawn.ts';

/** Returns the signature with brackets around the parameter that is being typed. */
function shown(query: string): string {
  const found = signatureOf(query);
  if (!found) return '';
  const active = found.active === undefined ? undefined : found.parameters[found.active];
  return bracketed(found.label, active ? [active] : []);
}

function signatureOf(query: string) {
  const drawing = `config: { edition: 3 }\nstreams:\n  a:\n    query: |\n      ${query}\n`;
  const { analysis, offset } = openDrawn(drawing);
  return signature(analysis, offset);
}

describe('The parameter that is being typed', () => {
  test.each([
    ['SELECT upper(<|>', 'upper(⟦x⟧)'],
    ['SELECT substring(name<|>, 1) FROM b', 'substring(⟦x⟧, start [, length])'],
    ['SELECT substring(name, <|>', 'substring(x, ⟦start⟧ [, length])'],
    ['SELECT substring(name, 1, 2<|>) FROM b', 'substring(x, start [, ⟦length⟧])'],
    ['SELECT ifnull(upper(a), <|>', 'ifnull(x, ⟦otherwise⟧)'],
    ['SELECT ifnull(upper(a<|>), b)', 'upper(⟦x⟧)'],
    ["SELECT json_extract(a, '$.<|>", "json_extract(json, ⟦'$.path'⟧)"],
    ["SELECT * FROM b WHERE c = auth.parameter('<|>", "auth.parameter(⟦'claim'⟧)"],
    ['SELECT * FROM json_each(<|>', 'json_each(⟦json⟧)'],
    ['SELECT upper((a + <|>', 'upper(⟦x⟧)'],
  ])('%s', (query, expected) => {
    expect(shown(query)).toBe(expected);
  });

  test('is not marked if the function takes no more arguments', () => {
    expect(shown('SELECT upper(a, <|>')).toBe('upper(x)');
    expect(shown('SELECT * FROM b WHERE c = auth.user_id(<|>')).toBe('auth.user_id()');
  });

  test('is the last one if any number of arguments can follow', () => {
    expect(shown("SELECT json_extract(a, '$.a', '$.b', <|>")).toBe("json_extract(json, ⟦'$.path'⟧)");
  });
});

test.each(['SELECT upper(a) <|>', 'SELECT nope(<|>', 'SELECT (<|>', 'SELECT a IN (<|>'])(
  'No signature is shown outside known calls: %s',
  (query) => {
    expect(shown(query)).toBe('');
  },
);

test('The text below the signature does not repeat it', () => {
  for (const call of ['upper(', 'json_extract(', 'auth.parameter(', 'json_each(', 'row.table_name(']) {
    const found = signatureOf(`SELECT ${call}<|>`);
    expect(found?.markdown.split('\n') ?? []).not.toContain(found?.label);
  }
  expect(signatureOf('SELECT upper(<|>')?.markdown).toMatch(/Example:/);
});
