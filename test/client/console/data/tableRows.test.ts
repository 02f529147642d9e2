import { expect, test } from 'vitest';
import type { OwnTable } from '../../../../client/console/data/ownTables.ts';
import { TableRows } from '../../../../client/console/data/tableRows.ts';

const column = { type: 'text', isKey: true, isGenerated: false, isOptional: true };
const table: OwnTable = { schema: 'public', name: 'numbers', columns: [{ ...column, name: 'n' }] };

interface Question {
  readonly asked: string;
  readonly at: number;
  readonly answer: () => void;
  readonly fail: (why: string) => void;
}

/** A database of numbered rows. The test decides when it answers, and moves the clock. */
function openTested(count: number) {
  const world = { count, now: 0, version: '' };
  const questions: Question[] = [];
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const answerTo = (query: string): readonly (readonly unknown[])[] => {
    const offset = /OFFSET (\d+)/.exec(query)?.[1];
    if (offset === undefined) return [[world.count]];
    const length = Math.max(0, Math.min(200, world.count - Number(offset)));
    return Array.from({ length }, (_, index) => [`${Number(offset) + index}${world.version}`, 1]);
  };
  const rows = new TableRows({
    table,
    now: () => world.now,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleepers.push({ at: world.now + milliseconds, wake });
      }),
    read: (query, [search = ''], signal) =>
      new Promise((resolve, reject) => {
        const asked = `${/OFFSET (\d+)/.exec(query)?.[1] ?? 'count'}${search && ` ${search}`}`;
        const rowsThen = answerTo(query);
        signal.addEventListener('abort', () => reject(new Error('Not asked any more.')));
        questions.push({
          asked,
          at: world.now,
          answer: () => resolve({ rows: rowsThen }),
          fail: (why) => reject(new Error(why)),
        });
      }),
  });
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };
  const pass = async (milliseconds: number): Promise<void> => {
    world.now += milliseconds;
    for (const { at, wake } of sleepers.splice(0)) {
      if (at <= world.now) wake();
      else sleepers.push({ at, wake });
    }
    await settle();
  };
  /** Answers all queries, including queries that follow from the answers, and returns them in order. */
  const answerAll = async (): Promise<readonly string[]> => {
    const asked: string[] = [];
    await settle();
    while (questions.length > 0) {
      for (const question of questions.splice(0)) {
        asked.push(question.asked);
        question.answer();
      }
      await settle();
    }
    return asked;
  };
  const shown = (index: number): string | null | undefined =>
    rows.known.value.slice(index, index + 1)[0]?.values.get('n');
  return { world, rows, questions, pass, settle, answerAll, shown };
}

const all = { search: '', order: undefined };

test('The first page is shown before a million rows are counted, and no other page is read', async () => {
  const { rows, questions, settle, shown } = openTested(1_000_000);
  rows.want(all);
  await settle();
  expect(questions.map(({ asked }) => asked)).toEqual(['0', 'count']);
  questions[0]?.answer();
  await settle();
  expect([shown(0), shown(199), shown(200), rows.known.value.length]).toEqual(['0', '199', undefined, 200]);
  // The number of rows is unknown until they are counted.
  expect(rows.known.value.count).toBeUndefined();
  questions[1]?.answer();
  await settle();
  expect(rows.known.value.count).toBe(1_000_000);
  expect([rows.known.value.length, questions.length]).toEqual([1_000_000, 2]);
});

test('During a fast scroll, the pages in between are not read', async () => {
  const { rows, questions, settle, answerAll, shown } = openTested(1_000_000);
  rows.want(all);
  await answerAll();
  for (let first = 0; first < 999_000; first += 1_000) {
    rows.look(first, first + 40);
    await settle();
  }
  rows.look(999_960, 1_000_000);
  expect(questions).toHaveLength(1);
  expect(await answerAll()).toEqual(['1000', '999800']);
  expect(shown(999_999)).toBe('999999');
});

test('Pages far from the visible rows are dropped', async () => {
  const { rows, answerAll, shown } = openTested(1_000_000);
  rows.want(all);
  for (let page = 0; page < 200; page += 1) {
    rows.look(page * 200, page * 200 + 40);
    await answerAll();
  }
  expect([shown(0), shown(100 * 200), shown(199 * 200)]).toEqual([undefined, undefined, '39800']);
  rows.look(0, 40);
  expect(await answerAll()).toEqual(['0']);
});

test('A refresh reads the visible rows again, and the old rows are shown until the answer arrives', async () => {
  const { world, rows, questions, pass, settle, answerAll, shown } = openTested(1_000);
  rows.want(all);
  await answerAll();
  rows.look(400, 440);
  await answerAll();
  world.version = ' new';
  let isDone = false;
  void rows.refresh().then(() => {
    isDone = true;
  });
  await pass(20);
  expect(questions.map(({ asked }) => asked)).toEqual(['400', 'count']);
  expect([shown(400), isDone]).toEqual(['400', false]);
  questions[0]?.answer();
  await settle();
  expect([shown(400), isDone]).toEqual(['400 new', true]);
});

test('Under continuous changes, about half of the time is spent on pages, and about a tenth on counting', async () => {
  const { world, rows, questions, pass, settle } = openTested(1_000);
  rows.want(all);
  await settle();
  const asked: string[] = [];
  for (let at = 0; at < 10_000; at += 10) {
    void rows.refresh();
    await pass(10);
    // Each query takes a tenth of a second.
    for (const question of questions.splice(0)) {
      if (world.now - question.at < 100) {
        questions.push(question);
        continue;
      }
      asked.push(question.asked);
      question.answer();
    }
    await settle();
  }
  const times = (piece: string) => asked.filter((each) => each === piece).length;
  expect([times('0') > 30, times('0') < 60, times('count') > 5, times('count') < 15]).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('An answer to an abandoned query changes nothing', async () => {
  const { rows, questions, settle, shown, answerAll } = openTested(1_000);
  rows.want(all);
  await settle();
  const old = questions.splice(0);
  rows.want({ search: 'x', order: undefined });
  for (const { answer } of old) answer();
  await settle();
  expect([shown(0), rows.known.value.length, rows.known.value.problem]).toEqual([undefined, 0, undefined]);
  expect(questions.map(({ asked }) => asked)).toEqual(['0 x', 'count x']);
  await answerAll();
  expect(shown(0)).toBe('0');
});

test('A refused query is reported once, and repeated after the next change', async () => {
  const { rows, questions, pass, settle, answerAll, shown } = openTested(10);
  rows.want(all);
  await settle();
  for (const { fail } of questions.splice(0)) fail('permission denied');
  await settle();
  expect([rows.known.value.problem, questions.length]).toEqual(['permission denied', 0]);
  void rows.refresh();
  await pass(60);
  await answerAll();
  expect([rows.known.value.problem, shown(9)]).toEqual([undefined, '9']);
});
