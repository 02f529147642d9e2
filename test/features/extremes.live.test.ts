/**
 * Lists of 100,000 items, and chains and nesting of 10,000 levels: every request of an editor is answered, and the stack
 * does not overflow. These tests take seconds, so they do not run with each check.
 */
import { describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { actions } from '../../server/features/actions/actions.ts';
import { completions } from '../../server/features/completion/completion.ts';
import { diagnostics } from '../../server/features/diagnostics.ts';
import { folding } from '../../server/features/folding.ts';
import { formatConfig } from '../../server/features/formatting/formatting.ts';
import { hover } from '../../server/features/hover/hover.ts';
import { references, symbolAt } from '../../server/features/references.ts';
import { rename } from '../../server/features/rename.ts';
import { selection } from '../../server/features/selection.ts';
import { outline } from '../../server/features/symbols.ts';
import { tokenGroups } from '../../server/features/tokens.ts';

const list = 100_000;
const chain = 10_000;

function many(count: number, separator: string, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(separator);
}

function streamOf(query: string): string {
  return `config:\n  edition: 3\nstreams:\n  a:\n    query: |\n      ${query}\n`;
}

const texts: readonly (readonly [name: string, text: string])[] = [
  ['numbers in a list', streamOf(`SELECT * FROM t WHERE a IN (${many(list, ', ', String)})`)],
  ['columns', streamOf(`SELECT ${many(list, ', ', (index) => `c${index}`)} FROM t`)],
  ['queries of a UNION', streamOf(many(chain, ' UNION ', (index) => `SELECT * FROM t${index}`))],
  ['OR', streamOf(`SELECT * FROM t WHERE ${many(chain, ' OR ', (index) => `a = ${index}`)}`)],
  ['statements', streamOf(many(chain, '; ', (index) => `SELECT * FROM t${index}`))],
  ['a list of YAML', `config:\n  edition: 3\nstreams:\n  a:\n    query: [${many(list, ', ', String)}]\n`],
];

/** Texts whose nesting is so deep that they have one error. */
const nested: readonly (readonly [name: string, text: string, code: string])[] = [
  [
    'parentheses',
    streamOf(`SELECT * FROM t WHERE ${'('.repeat(chain)}a = 1${')'.repeat(chain)}`),
    'sql-syntax',
  ],
  [
    'subqueries',
    streamOf(`SELECT * FROM t WHERE ${'a IN (SELECT b FROM c WHERE '.repeat(chain)}true${')'.repeat(chain)}`),
    'sql-syntax',
  ],
  ['NOT', streamOf(`SELECT * FROM t WHERE ${'NOT '.repeat(chain)}a`), 'sql-syntax'],
  [
    'brackets of YAML',
    `config:\n  edition: 3\nstreams:\n  a:\n    query: ${'['.repeat(chain)}${']'.repeat(chain)}\n`,
    'yaml-too-deep',
  ],
];

function askEverything(text: string): readonly string[] {
  const analysis = analyze(text, { kind: 'sync' });
  const name = text.indexOf('  a:') + 2;
  const at = Math.max(text.indexOf('FROM t'), 0) + 6;
  diagnostics(analysis);
  tokenGroups(analysis);
  outline(analysis);
  folding(analysis);
  formatConfig(analysis);
  for (const offset of [name, at]) {
    hover(analysis, offset);
    selection(analysis, offset);
    completions(analysis, offset, { environmentNames: () => [], others: () => [] });
  }
  const symbol = symbolAt(analysis, name);
  if (symbol) {
    references(analysis, symbol);
    rename(analysis, symbol, 'another');
  }
  actions(analysis, {
    selection: { start: at, end: at },
    wants: () => true,
    files: { text: () => undefined, exists: () => false },
    askedBy: 'editor',
  });
  return analysis.findings.map(({ code }) => code);
}

describe('Every request is answered', () => {
  test.each(texts)('for a very long text with %s', (_, text) => {
    expect(askEverything(text).length).toBeLessThan(chain);
  });
});

describe('Very deep nesting is one error', () => {
  test.each(nested)('%s', (_, text, code) => {
    expect(askEverything(text)).toEqual([code]);
  });
});
