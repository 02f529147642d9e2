/** Configs with which the reference gives rows to somebody who must not have them; we never do. */
import { describe, expect, test } from 'vitest';
import { ourErrors, ourMembership, referenceMembership } from './engines.ts';
import type { World } from './world.ts';

interface Leak {
  readonly config: string;
  readonly rows: World['rows'];
  /** Ids that the one request, of user u1, may have. */
  readonly allowed: readonly string[];
  /** Ids that the reference gives to it besides. */
  readonly leaked: readonly string[];
  /** Our error, where the service would leak whatever we do: such a config is refused. */
  readonly refusedAs?: string;
}

const ownerAndOrg: World['rows'] = [
  { table: 'boats', record: { id: 'same', owner: 'u1', org: 'u1' } },
  { table: 'boats', record: { id: 'differs', owner: 'u1', org: 'u2' } },
];

const negated: World['rows'] = [
  { table: 'boats', record: { id: 'listed', kind: 'x', list: '["x","y"]' } },
  { table: 'boats', record: { id: 'free', kind: 'z', list: '["x","y"]' } },
];

const streams = (...lines: readonly string[]) =>
  `config:\n  edition: 3\nstreams:\n  s:\n    auto_subscribe: true\n${lines.map((line) => `    ${line}\n`).join('')}`;

const leaks: Readonly<Record<string, Leak>> = {
  'two conditions on one bucket parameter': {
    config: [
      'bucket_definitions:',
      '  b:',
      '    parameters: SELECT request.user_id() AS u',
      '    data:',
      '      - SELECT id FROM boats WHERE owner = bucket.u AND org = bucket.u',
    ].join('\n'),
    rows: ownerAndOrg,
    allowed: ['same'],
    leaked: ['differs'],
    refusedAs: 'same-parameter-twice',
  },
  'two conditions on one request value of a parameter query': {
    config: [
      'bucket_definitions:',
      '  b:',
      '    parameters: SELECT id AS boat FROM boats WHERE owner = request.user_id() AND org = request.user_id()',
      '    data:',
      '      - SELECT id FROM crew WHERE boat = bucket.boat',
    ].join('\n'),
    rows: [
      ...ownerAndOrg,
      { table: 'crew', record: { id: 'on same', boat: 'same' } },
      { table: 'crew', record: { id: 'on differs', boat: 'differs' } },
    ],
    allowed: ['on same'],
    leaked: ['on differs'],
    refusedAs: 'same-parameter-twice',
  },
  'NOT (x IN list)': {
    config: streams('query: SELECT id FROM boats WHERE NOT (kind IN list)'),
    rows: negated,
    allowed: ['free'],
    leaked: ['listed'],
    refusedAs: 'negated-in-expansion',
  },
  '(x IN list) = false': {
    config: streams('query: SELECT id FROM boats WHERE (kind IN list) = false'),
    rows: negated,
    allowed: ['free'],
    leaked: ['listed'],
    refusedAs: 'negated-in-expansion',
  },
  'IN (SELECT *) before edition 3': {
    config: [
      'config:',
      '  edition: 2',
      'streams:',
      '  s:',
      '    auto_subscribe: true',
      '    query: SELECT id FROM boats WHERE id IN (SELECT * FROM crew WHERE owner = auth.user_id())',
    ].join('\n'),
    rows: [{ table: 'boats', record: { id: 'of nobody' } }],
    allowed: [],
    leaked: ['of nobody'],
    refusedAs: 'star-subquery',
  },
  'a constant that is not in a subquery': {
    config: streams("query: SELECT id FROM boats WHERE 'u1' NOT IN (SELECT owner FROM crew)"),
    rows: [
      { table: 'boats', record: { id: 'any' } },
      { table: 'crew', record: { id: '1', owner: 'u1' } },
      { table: 'crew', record: { id: '2', owner: 'u2' } },
    ],
    allowed: [],
    leaked: ['any'],
    refusedAs: 'negated-subquery',
  },
};

const request: World['requests'][number] = { claims: { sub: 'u1' }, connection: {}, parameters: {} };

describe('rows that the reference leaks', () => {
  test.each(Object.entries(leaks))('%s', async (_, { config, rows, allowed, leaked, refusedAs }) => {
    const world: World = { rows, requests: [request] };
    const [theirs] = await referenceMembership(config, 0, world);
    expect(theirs).toEqual([...allowed, ...leaked].sort());
    const [ours = []] = ourMembership(config, 0, world);
    expect(ours.filter((id) => !allowed.includes(id))).toEqual([]);
    const codes = ourErrors(config).map((error) => error.split(':')[0]);
    expect(codes).toEqual(refusedAs === undefined ? [] : [refusedAs]);
    if (refusedAs === undefined) expect(ours).toEqual(allowed);
  });
});
