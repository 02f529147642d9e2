import { describe, expect, it } from 'vitest';
import { answerTogether } from '../../../server/service/storage/postgres/answerTogether.ts';

/** Runs that wait until they are let go. */
function openRuns() {
  const runs: { readonly items: readonly number[]; readonly answer: (error?: Error) => void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const answer = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`)));
      runs.push({ items, answer });
    });
  return { runs, run, asked: () => runs.map(({ items }) => items) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('questions that are answered together', () => {
  it('are those of one turn, and those that come while others are answered', async () => {
    const { runs, run, asked } = openRuns();
    const ask = answerTogether(run, { running: 1, items: 10 });
    const first = Promise.all([ask(1), ask(2)]);
    await turn();
    const second = Promise.all([ask(3), ask(4)]);
    await turn();
    const third = ask(5);
    await turn();
    expect(asked()).toEqual([[1, 2]]);
    runs[0]?.answer();
    expect(await first).toEqual(['1!', '2!']);
    await turn();
    expect(asked()).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    runs[1]?.answer();
    expect([await second, await third]).toEqual([['3!', '4!'], '5!']);
  });

  it('wait for nobody while few run, and are not more than fit', async () => {
    const { run, runs, asked } = openRuns();
    const ask = answerTogether(run, { running: 2, items: 2 });
    const all = [1, 2, 3, 4, 5].map(ask);
    await turn();
    expect(asked()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    runs[1]?.answer();
    await turn();
    expect(asked().at(-1)).toEqual([5]);
    for (const each of runs) each.answer();
    expect(await Promise.all(all)).toEqual(['1!', '2!', '3!', '4!', '5!']);
  });

  it('fail alone', async () => {
    const ask = answerTogether(
      async (items: readonly number[]) => {
        if (items.includes(2)) throw new Error('two');
        return items;
      },
      { running: 1, items: 10 },
    );
    const results = await Promise.allSettled([ask(1), ask(2), ask(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ask(4)).toBe(4);
  });
});
