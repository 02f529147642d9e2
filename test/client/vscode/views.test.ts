import { expect, test } from 'vitest';
import type { Deployment, Diagnosis } from '../../../client/api/answers.ts';
import { type Node, nodesOf } from '../../../client/vscode/views/serviceNodes.ts';

const at = Date.UTC(2026, 0, 1);

const active: Deployment = {
  slot: 'slot_1',
  copied: true,
  keepaliveAt: at,
  tables: [
    { schema: 'public', name: 'lists', keys: ['id'], errors: [] },
    { schema: 'app', name: 'todos', keys: [], errors: [{ level: 'fatal', message: 'No key.' }] },
  ],
  errors: [],
};

const ours: Diagnosis = {
  at,
  sources: [{ id: 'default', uri: 'postgresql://db', connected: true, errors: [] }],
  active: {
    ...active,
    streams: [{ name: 'lists', buckets: 1200 }, { name: 'one', buckets: 1 }, { name: 'huge' }],
  },
  pending: {
    slot: 'slot_2',
    copied: false,
    tables: [
      {
        schema: 'public',
        name: 'a',
        keys: [],
        copied: false,
        copiedRows: 41_200,
        estimatedRows: 80_000,
        errors: [],
      },
      { schema: 'public', name: 'b', keys: [], copied: false, errors: [] },
      { schema: 'public', name: 'c', keys: [], copied: true, copiedRows: 7, errors: [] },
    ],
    streams: [],
    errors: [],
  },
  clients: [{ user: 'ada', client: 'c1', buckets: ['1#lists|0["ada"]'] }],
};

/** One line each, indented: `icon label: description`. */
function drawn(nodes: readonly Node[], depth = ''): readonly string[] {
  return nodes.flatMap(({ icon, label, description, inner = [] }) => [
    `${depth}${icon} ${label}${description ? `: ${description}` : ''}`,
    ...drawn(inner, `${depth}  `),
  ]);
}

test('A service of ours is shown with buckets, tables and clients', () => {
  expect(drawn(nodesOf(ours, undefined))).toEqual([
    'database Source default: postgresql://db',
    'pass Active config: slot_1',
    '  layers Streams: 3',
    '    symbol-namespace lists: 1,200 buckets',
    '    symbol-namespace one: 1 bucket',
    '    symbol-namespace huge: too many buckets to count',
    '  table lists',
    '  error app.todos',
    '    error No key.',
    'sync Being copied: slot_2',
    '  layers Streams: 0',
    '  sync a: being copied: 41,200 of about 80,000 rows',
    '  sync b: being copied',
    '  table c: 7 rows copied',
    'plug Clients: 1',
    '  account ada: 1 bucket',
  ]);
});

test('What another service does not tell is not shown as none', () => {
  const { sources } = ours;
  expect(drawn(nodesOf({ at, sources, active: { ...active, tables: [] } }, undefined)).slice(1)).toEqual([
    'pass Active config: slot_1',
    '  question Streams: not told by this service',
    'question Clients: not told by this service',
  ]);
});

test('Only the local service is deployed to when a config is saved, if its box is checked', () => {
  const box = (deploysOnSave: boolean | undefined) =>
    nodesOf(ours, deploysOnSave).flatMap(({ box }) => box ?? []);
  expect(box(undefined)).toEqual([]);
  expect(box(false)).toEqual([{ name: 'deployOnSave', isChecked: false }]);
  expect(box(true)).toEqual([{ name: 'deployOnSave', isChecked: true }]);
});
