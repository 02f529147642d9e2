import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../server/engine/text/edit.ts';
import { folding } from '../../server/features/folding.ts';
import { highlights } from '../../server/features/highlights.ts';
import { hover } from '../../server/features/hover/hover.ts';
import { inlayHints } from '../../server/features/inlayHints.ts';
import { symbolAt } from '../../server/features/references.ts';
import { rename } from '../../server/features/rename.ts';
import { selection } from '../../server/features/selection.ts';
import { signature } from '../../server/features/signature.ts';
import { tokens } from '../../server/features/tokens.ts';
import { labelsAt, taken } from '../support/engine/completions.ts';
import { bracketed, openDrawn } from '../support/engine/drawn.ts';

const service = (content: string) => `=== service.yaml
replication: {}
sync_config:
  content: |
    config:
      edition: 3
    streams:
      mine:
${content}`;

describe('A sync config inside a service config', () => {
  test.each([
    ['in its last line', '        query: SELECT 1\n        <|>'],
    ['before more of it', '        query: SELECT 1\n        <|>\n      other: {}\napi: {}\n'],
    ['after empty lines', '        query: SELECT 1\n\n\n        <|>\n'],
    ['in a word', '        query: SELECT 1\n        pri<|>\n'],
  ])('offers its own keys, %s', (_, lines) => {
    expect(labelsAt(service(lines))).toEqual([
      'with',
      'auto_subscribe',
      'priority',
      'accept_potentially_dangerous_queries',
    ]);
  });

  test('ends where its indentation ends', () => {
    expect(labelsAt(service('        query: SELECT 1\n<|>'))).toContain('client_auth');
    expect(labelsAt(service('        query: SELECT 1\n  <|>'))).toEqual(['exit_on_error', 'version_label']);
  });

  test('is edited at exact places', () => {
    expect(taken(service('        query: SELECT upp<|>(a) FROM b\n'), 'upper')).toBe(
      '        query: SELECT upper(a) FROM b',
    );
  });

  test('knows the tables of the source', () => {
    const drawing = `${service('        query: SELECT <|> FROM boats\n')}\n=== catalog\ncreate table boats (id uuid, sails integer)`;
    expect(labelsAt(drawing)).toContain('sails');
  });

  test('has hovers and signatures', () => {
    const { analysis, offset, text } = openDrawn(
      service('        query: SELECT substr<|>ing(a, 1) AS c, id FROM b\n'),
    );
    const found = hover(analysis, offset);
    expect(bracketed(text, found ? [found.span] : [])).toContain('SELECT ⟦substring⟧(a, 1)');
    expect(signature(analysis, text.indexOf(', 1') + 2)?.active).toBe(1);
  });
});

describe('In a sync config inside a service config', () => {
  const drawing = `=== service.yaml
replication: {}
sync_config:
  content: |
    config:
      edition: 3
    with:
      admins: SELECT id FROM users
    streams:
      mine:
        query: |
          SELECT * FROM boats WHERE owner IN adm<|>ins
`;

  test('names are found and can be renamed', () => {
    const { analysis, offset, text } = openDrawn(drawing);
    expect(
      bracketed(
        text,
        highlights(analysis, offset).map(({ span }) => span),
      ),
    ).toBe(text.replaceAll('admins', '⟦admins⟧'));
    const symbol = symbolAt(analysis, offset);
    const renamed = symbol && rename(analysis, symbol, 'chiefs');
    expect(renamed?.kind === 'possible' && applyEdits(text, renamed.edits)).toBe(
      text.replaceAll('admins', 'chiefs'),
    );
    expect(symbol && rename(analysis, symbol, 'boats')).toMatchObject({ kind: 'refused' });
  });

  test('selections grow from the word to the block and beyond', () => {
    const { analysis, offset, text } = openDrawn(drawing);
    const firstWords = selection(analysis, offset).map(({ start, end }) =>
      text.slice(start, end).split(/\s+/).slice(0, 2).join(' '),
    );
    expect(firstWords.slice(0, 3)).toEqual(['admins', 'owner IN', 'SELECT *']);
    expect(firstWords.slice(-4)).toEqual([
      '| config:',
      'content: |',
      'sync_config: content:',
      'replication: {}',
    ]);
  });

  test('words have colours, streams have their numbers of buckets, and blocks fold', () => {
    const { analysis, text } = openDrawn(drawing);
    const coloured = tokens(analysis, { start: 0, end: text.length }).map(
      ({ span, type }) => `${text.slice(span.start, span.end)} ${type}`,
    );
    expect(coloured).toContain('boats class');
    expect(coloured.at(-1)).toBe('admins interface');
    expect(inlayHints(analysis).map(({ offset }) => text.slice(0, offset).split('\n').at(-1))).toEqual([
      '      mine:',
    ]);
    const folded = folding(analysis).map(({ start, end }) => text.slice(start, end).split('\n')[0]);
    expect(folded).toContain('streams:');
  });
});
