import { expect, test } from 'vitest';
import { groupPicture, shownGraph } from '../../../../client/console/map/groups.ts';
import { type LayoutQuestion, layOut } from '../../../../client/console/map/layout.ts';
import { type MapPicture, mapColumns, pictureOf } from '../../../../client/console/map/picture.ts';

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

test('200 tables and 1,000 streams are laid out as a few groups, also after one of the groups is opened', () => {
  const tree = groupPicture(many);
  const closed = shownGraph(tree, many.edges, new Set());
  expect(closed.entries.length).toBeLessThanOrEqual(3 * 24);
  const first = closed.entries.find(({ column }) => column === 'streams');
  const opened = shownGraph(tree, many.edges, new Set([first?.id ?? '']));
  expect(opened.entries.length).toBeLessThanOrEqual(4 * 24);
  expect(opened.opened.map(({ id }) => id)).toEqual([first?.id]);
  const question: LayoutQuestion = {
    nodes: closed.entries.map(({ id, column }) => ({ id, column: mapColumns.indexOf(column), height: 40 })),
    edges: closed.edges.map(({ from, to, count }) => ({ from, to, weight: count })),
    gap: 8,
  };
  expect(overlapsIn(question, layOut(question).tops)).toEqual([]);
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
