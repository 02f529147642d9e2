import { expect, test } from 'vitest';
import { highestFirst } from '../../../server/engine/ground/highestFirst.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { casesOf } from '../../support/house/share.ts';

interface Item {
  readonly number: number;
  score: number;
  /** Numbers of the items whose scores this item raises when it is taken. */
  readonly raises: readonly number[];
}

type Visit = (items: readonly Item[], take: (item: Item) => readonly Item[]) => void;

test('the item with the highest score is always taken next, or the first of several such items', () => {
  for (let seed = 1; seed <= casesOf(500); seed += 1) {
    const [items, same] = [randomItems(randomFrom(seed)), randomItems(randomFrom(seed))];
    expect({ seed, order: orderOf(items, highestFirst) }).toEqual({
      seed,
      order: orderOf(same, lookThroughAll),
    });
  }
});

test.each<[string, (number: number) => Omit<Item, 'number'>]>([
  ['of equal scores', () => ({ score: 0, raises: [] })],
  ['with the highest at the end', (number) => ({ score: number, raises: [] })],
  ['that each raise the next item', (number) => ({ score: 0, raises: [number + 1] })],
  ['that all raise the last item', (number) => ({ score: -3 * number, raises: [9_999] })],
])('10,000 items %s are sorted in n log n comparisons', (_, itemOf) => {
  let reads = 0;
  /** Returns a score that counts how often it is read, which is once or twice for each comparison. */
  const counted = (score: number) => {
    const read = () => {
      reads += 1;
      return score;
    };
    return { valueOf: read } as unknown as number;
  };
  const items = Array.from({ length: 10_000 }, (__, number) => ({ number, ...itemOf(number) }));
  const scores = items.map(({ score }) => score);
  for (const item of items) item.score = counted(item.score);
  const taken = new Set<Item>();
  highestFirst(items, (item) => {
    taken.add(item);
    return item.raises.flatMap((number) => {
      const raised = items[number];
      if (raised === undefined) return [];
      scores[number] = (scores[number] ?? 0) + 2;
      raised.score = counted(scores[number]);
      return [raised];
    });
  });
  expect(taken.size).toBe(items.length);
  expect(reads).toBeGreaterThan(items.length);
  expect(reads).toBeLessThan(30 * items.length * Math.log2(items.length));
});

function randomItems(random: Random): readonly Item[] {
  const count = random.int(12);
  return Array.from({ length: count }, (_, number) => ({
    number,
    score: random.chance(0.1) ? Number.POSITIVE_INFINITY : random.int(6),
    raises: random.times(0, 3, () => random.int(count)),
  }));
}

/** Returns the numbers of the items in the order in which they are taken. */
function orderOf(items: readonly Item[], visit: Visit): readonly number[] {
  const order: number[] = [];
  visit(items, ({ number, raises }) => {
    order.push(number);
    const raised = raises.flatMap((other) => (order.includes(other) ? [] : (items[other] ?? [])));
    for (const item of raised) item.score += 2;
    return raised;
  });
  return order;
}

const lookThroughAll: Visit = (items, take) => {
  const waiting = new Set(items);
  while (waiting.size > 0) {
    const highest = Math.max(...[...waiting].map(({ score }) => score));
    const next = items.find((item) => waiting.has(item) && item.score === highest);
    if (next === undefined) return;
    waiting.delete(next);
    take(next);
  }
};
