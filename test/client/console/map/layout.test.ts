import { expect, test } from 'vitest';
import { groupPicture, shownGraph } from '../../../../client/console/map/groups.ts';
import { type LayoutQuestion, layOut } from '../../../../client/console/map/layout.ts';
import {
  type MapNode,
  type MapPicture,
  mapColumns,
  pictureOf,
} from '../../../../client/console/map/picture.ts';

const many = largePicture(200, 1000);

/** Returns the pairs of nodes in the same column that overlap. */
function overlapsIn({ nodes, gap }: LayoutQuestion, tops: ReadonlyMap<string, number>): string[] {
  return [0, 1, 2].flatMap((column) => {
    const own = nodes
      .filter((node) => node.column === column)
      .map(({ id, height }) => ({ id, top: tops.get(id) ?? Number.NaN, height }))
      .toSorted((a, b) => a.top - b.top);
    return own.flatMap(({ id, top, height }, index) => {
      const next = own[index + 1];
      return next !== undefined && !(next.top >= top + height + gap - 0.01) ? [`${id} and ${next.id}`] : [];
    });
  });
}

test('Connected nodes are in line with each other, and no two nodes overlap', () => {
  const pairs = ['a', 'b', 'c', 'd'];
  const question: LayoutQuestion = {
    nodes: [
      ...pairs.map((name) => ({ id: `t${name}`, column: 0, height: 40 })),
      ...pairs.toReversed().map((name) => ({ id: `s${name}`, column: 1, height: 40 })),
      { id: 'alone', column: 1, height: 40 },
      { id: 'all', column: 2, height: 40 },
    ],
    edges: pairs.flatMap((name) => [
      { from: `t${name}`, to: `s${name}`, weight: 1 },
      { from: `s${name}`, to: 'all', weight: 1 },
    ]),
    gap: 8,
  };
  const { tops, height } = layOut(question);
  expect(overlapsIn(question, tops)).toEqual([]);
  for (const name of pairs) expect(tops.get(`t${name}`)).toBeCloseTo(tops.get(`s${name}`) ?? -1);
  expect(tops.get('alone')).toBeGreaterThan(Math.max(...pairs.map((name) => tops.get(`s${name}`) ?? 0)));
  expect(height).toBeGreaterThanOrEqual(5 * 48 - 8);
});

test('The layout of no nodes is empty', () => {
  expect(layOut({ nodes: [], edges: [], gap: 8 })).toEqual({ tops: new Map(), height: 0 });
});

test('Many streams are grouped by the tables that they read, and each group opens in its place', () => {
  const tree = groupPicture(many);
  const closed = shownGraph(tree, many.edges, new Set());
  const labels = closed.entries.flatMap(({ column, label }) => (column === 'streams' ? [label] : []));
  expect(labels).toHaveLength(200);
  expect(labels.slice(0, 2)).toEqual(['5 streams of sales_table_0', '5 streams of stock_table_1']);
  const first = closed.entries.find(({ column }) => column === 'streams');
  const opened = shownGraph(tree, many.edges, new Set([first?.id ?? '']));
  expect(opened.entries.filter(({ column }) => column === 'streams').slice(0, 6)).toMatchObject([
    { label: 's0' },
    { label: 's200' },
    { label: 's400' },
    { label: 's600' },
    { label: 's800' },
    { label: '5 streams of stock_table_1' },
  ]);
  expect(opened.opened.map(({ id }) => id)).toEqual([first?.id]);
  const question: LayoutQuestion = {
    nodes: closed.entries.map(({ id, column }) => ({ id, column: mapColumns.indexOf(column), height: 40 })),
    edges: closed.edges.map(({ from, to, count }) => ({ from, to, weight: count })),
    gap: 8,
  };
  expect(overlapsIn(question, layOut(question).tops)).toEqual([]);
});

test('A large group of streams is divided by the users who get them', () => {
  const one = largePicture(1, 100);
  const [group] = groupPicture(one).filter(({ column }) => column === 'streams');
  expect(group).toMatchObject({ label: '100 streams of sales_table_0', size: 100 });
  expect(group && 'members' in group && group.members.map(({ label }) => label)).toEqual([
    '20 streams of A 0',
    '20 streams of A 1',
    '20 streams of A 2',
    '20 streams of A 3',
    '20 streams of A 4',
  ]);
});

test('Tables that the same stream reads are grouped if there are many of them', () => {
  const nodes = Array.from({ length: 30 }, (_, n) => nodeAt('tables', `t${n}`));
  const all = nodeAt('streams', 'all');
  const picture: MapPicture = {
    nodes: [...nodes, all],
    edges: nodes.map(({ id }) => ({ from: id, to: all.id, use: 'rows' })),
  };
  expect(groupPicture(picture).map(({ label }) => label)).toEqual(['30 tables of all', 'all']);
  const few = { nodes: [...nodes.slice(0, 24), all], edges: picture.edges.slice(0, 24) };
  expect(groupPicture(few)).toHaveLength(25);
});

test('The audiences of many streams are drawn next to each stream', () => {
  const { entries, edges } = shownGraph(groupPicture(many), many.edges, new Set());
  const audiences = entries.filter(({ column }) => column === 'audiences');
  expect(audiences).toHaveLength(200);
  for (const { id } of audiences) expect(edges.filter(({ to }) => to === id)).toHaveLength(1);
  const some = largePicture(200, 24);
  const few = shownGraph(groupPicture(some), some.edges, new Set());
  expect(few.entries.filter(({ column }) => column === 'audiences')).toHaveLength(5);
});

test('Several audiences of a group of streams are one entry that can be opened', () => {
  const nodes = [
    nodeAt('tables', 't'),
    ...Array.from({ length: 30 }, (_, n) => nodeAt('tables', `t${n}`)),
    ...Array.from({ length: 30 }, (_, n) => nodeAt('streams', `s${n}`)),
    nodeAt('streams', 'both'),
    nodeAt('audiences', 'Everyone'),
    nodeAt('audiences', 'Each user'),
  ];
  const edges = [
    ...Array.from({ length: 30 }, (_, n) => ({
      from: `tables t${n}`,
      to: `streams s${n}`,
      use: 'rows' as const,
    })),
    { from: 'tables t', to: 'streams both', use: 'rows' as const },
    { from: 'streams both', to: 'audiences Each user', use: 'rows' as const },
    { from: 'streams both', to: 'audiences Everyone', use: 'rows' as const },
  ];
  const tree = groupPicture({ nodes, edges });
  const audiencesIn = (open: ReadonlySet<string>) =>
    shownGraph(tree, edges, open).entries.filter(({ column }) => column === 'audiences');
  const [both, ...others] = audiencesIn(new Set());
  expect(others).toEqual([]);
  expect(both).toMatchObject({ label: 'Everyone · Each user', size: 2 });
  expect(audiencesIn(new Set([both?.id ?? ''])).map(({ label }) => label)).toEqual(['Everyone', 'Each user']);
});

test('200 tables and 1,000 streams can be laid out at once without overlaps', () => {
  const question: LayoutQuestion = {
    nodes: many.nodes.map(({ id, column }) => ({ id, column: mapColumns.indexOf(column), height: 40 })),
    edges: many.edges.map(({ from, to }) => ({ from, to, weight: 1 })),
    gap: 8,
  };
  const { tops, height } = layOut(question);
  expect(tops.size).toBe(many.nodes.length);
  expect(overlapsIn(question, tops)).toEqual([]);
  expect(Math.min(...tops.values())).toBe(0);
  expect(height).toBeLessThan(1.5 * 1_000 * 48);
});

test('Lines do not cross if a layout without crossings exists', () => {
  // Each table has one stream, and each stream has one audience, but each column is listed in a different order.
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  const question: LayoutQuestion = {
    nodes: [
      ...numbers.map((n) => ({ id: `t${n}`, column: 0, height: 40 })),
      ...numbers.map((n) => ({ id: `s${(n * 7) % 30}`, column: 1, height: 40 })),
      ...numbers.map((n) => ({ id: `a${(n * 11) % 30}`, column: 2, height: 40 })),
    ],
    edges: numbers.flatMap((n) => [
      { from: `t${n}`, to: `s${n}`, weight: 1 },
      { from: `s${n}`, to: `a${n}`, weight: 1 },
    ]),
    gap: 8,
  };
  const { tops } = layOut(question);
  for (const n of numbers)
    expect([tops.get(`s${n}`), tops.get(`a${n}`)]).toEqual([tops.get(`t${n}`), tops.get(`t${n}`)]);
});

test('Groups contain each node exactly once, and report their sizes', () => {
  const tree = groupPicture(many);
  const sizes = tree.map((entry) => ('size' in entry ? entry.size : 1));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(many.nodes.length);
});

function nodeAt(column: MapNode['column'], label: string): MapNode {
  return { id: `${column} ${label}`, column, label, sentence: '', marks: [], numbers: [] };
}

function largePicture(tables: number, streams: number): MapPicture {
  return pictureOf(
    {
      tables: Array.from({ length: tables }, (_, index) => ({
        id: `${['sales', 'stock', 'staff', 'logs'][index % 4]}_table_${index}`,
        sentence: '',
        marks: [],
      })),
      streams: Array.from({ length: streams }, (_, index) => ({
        name: `s${index}`,
        kind: 'stream',
        isDefault: true,
        summary: '',
        sentence: '',
        tables: [
          {
            table: `${['sales', 'stock', 'staff', 'logs'][(index % tables) % 4]}_table_${index % tables}`,
            use: 'rows' as const,
          },
        ],
        audiences: [`a${index % 5}`],
        marks: [],
      })),
      audiences: Array.from({ length: 5 }, (_, index) => ({
        id: `a${index}`,
        kind: 'user',
        label: `A ${index}`,
      })),
    },
    {},
  );
}
