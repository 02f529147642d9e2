import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldText, fieldValue } from '../../../../client/api/fieldText.ts';
import {
  draftOfClient,
  emptyDraft,
  type OwnerDraft,
  readDraft,
} from '../../../../client/console/devices/draft.ts';
import { markedLines } from '../../../../client/console/devices/markedLines.ts';

describe('A draft of an owner', () => {
  test.each([
    ['ada', 'ada'],
    ['7', 7],
    ['"7"', '7'],
    ['9007199254740993', '9007199254740993'],
    ['1e3', '1e3'],
    ['true', true],
    ['[1,"a"]', [1, 'a']],
    ['{"a":1}', { a: 1 }],
    ['[1,', '[1,'],
  ])('reads %s as %j', (text, value) => {
    expect(fieldValue(text)).toEqual(value);
  });

  test('reads every value back from the text that it shows for it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())), (value) => {
        expect(fieldValue(fieldText(value))).toEqual(value);
      }),
    );
  });

  test('becomes claims, parameters and subscriptions, without empty fields', () => {
    const draft: OwnerDraft = {
      user: ' ada ',
      claims: { org: '7', team: '' },
      moreClaims: '{"role":"admin"}',
      parameters: { show: 'x' },
      subscriptions: [
        { stream: 'todos', fields: { list: 'l1' } },
        { stream: 'all', fields: {} },
      ],
    };
    expect(readDraft(draft)).toEqual({
      kind: 'owner',
      owner: {
        user: 'ada',
        claims: { org: 7, role: 'admin' },
        question: {
          parameters: { show: 'x' },
          subscriptions: [
            { stream: 'todos', parameters: { list: 'l1' } },
            { stream: 'all', parameters: null },
          ],
        },
      },
    });
    expect(readDraft(emptyDraft)).toEqual({ kind: 'empty' });
    expect(readDraft({ ...emptyDraft, user: 'a', moreClaims: '[]' })).toMatchObject({ kind: 'wrong' });
  });

  test('starts with the subscriptions of a client', () => {
    const client = {
      id: 1,
      user: 'ada',
      app: {},
      transport: 'http',
      since: 0,
      buckets: 1,
      failing: [],
      subscriptions: [
        { stream: 'todos', parameters: { list: '7', size: 7 } },
        { stream: 'all', parameters: null },
      ],
    };
    const read = readDraft(draftOfClient(client));
    expect(read).toMatchObject({ owner: { user: 'ada', question: { subscriptions: client.subscriptions } } });
  });
});

describe('Lines of a config', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
  const markAt = (sql: string) => ({ sql, start: text.indexOf(sql), end: text.indexOf(sql) + sql.length });
  const drawn = (...marks: readonly ReturnType<typeof markAt>[]) =>
    markedLines(text, marks).map((line) =>
      line === undefined
        ? '…'
        : `${line.number}: ${line.pieces.map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece)).join('')}`,
    );

  test('are the lines around a mark', () => {
    expect(drawn(markAt('ne 7'))).toEqual([
      ...[3, 4, 5, 6].map((n) => `${n}: line ${n}`),
      '7: li[ne 7]',
      ...[8, 9, 10, 11].map((n) => `${n}: line ${n}`),
    ]);
  });

  test('have a gap between distant marks, and a mark can span several lines', () => {
    const lines = drawn(markAt('e 2\nli'), markAt('line 20'));
    expect(lines).toContain('2: lin[e 2]');
    expect(lines).toContain('3: [li]ne 3');
    expect(lines.filter((line) => line === '…')).toHaveLength(1);
    expect(lines).toContain('20: [line 20]');
    expect(drawn()).toEqual([]);
  });
});
