import { describe, expect, test } from 'vitest';
import { hover } from '../../server/features/hover/hover.ts';
import { signature } from '../../server/features/signature.ts';
import { labelsAt, taken } from '../support/completions.ts';
import { bracketed, openDrawn } from '../support/drawn.ts';

const service = (content: string) => `=== service.yaml
replication: {}
sync_config:
  content: |
    config:
      edition: 3
    streams:
      mine:
${content}`;

describe('Inside of a service config, a sync config', () => {
  test.each([
    ['in its last line', '        query: SELECT 1\n        <|>'],
    ['before more of it', '        query: SELECT 1\n        <|>\n      other: {}\napi: {}\n'],
    ['behind empty lines', '        query: SELECT 1\n\n\n        <|>\n'],
    ['in a word', '        query: SELECT 1\n        pri<|>\n'],
  ])('offers its own keys, %s', (_, lines) => {
    expect(labelsAt(service(lines))).toEqual([
      'with',
      'auto_subscribe',
      'priority',
      'accept_potentially_dangerous_queries',
    ]);
  });

  test('ends where the indentation does', () => {
    expect(labelsAt(service('        query: SELECT 1\n<|>'))).toContain('client_auth');
    expect(labelsAt(service('        query: SELECT 1\n  <|>'))).toEqual(['exit_on_error']);
  });

  test('is written to at exact places', () => {
    expect(taken(service('        query: SELECT upp<|>(a) FROM b\n'), 'upper')).toBe(
      '        query: SELECT upper(a) FROM b',
    );
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
