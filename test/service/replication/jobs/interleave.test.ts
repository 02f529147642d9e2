/** The turns of a stream and of a copy beside it, as drawings: what arrives when, and in which order it is used. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { interleave } from '../../../../server/service/replication/jobs/interleave.ts';
import { createManualClock, type ManualClock } from '../../../support/service/manualClock.ts';

const length = 80;
const behind = { after: 200, length: 400 } as const;
/** Milliseconds that an item takes. */
const work = { page: 10, change: 5 } as const;

interface Arrival {
  readonly kind: keyof typeof work;
  readonly at: number;
}

/** The waiting arrivals are there from the beginning. All others come when they are due, and are the last ones. */
interface Queue extends AsyncIterable<Arrival> {
  add(arrival: Arrival): void;
  /** So many were added. */
  count(): number;
  end(error?: Error): void;
}

function openQueue(): Queue {
  const waiting: Arrival[] = [];
  let count = 0;
  let end: { readonly error: Error | undefined } | undefined;
  let wake = () => {};
  return {
    add: (arrival) => {
      waiting.push(arrival);
      count += 1;
      wake();
    },
    count: () => count,
    end: (error) => {
      end = { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (end?.error !== undefined) throw end.error;
        else if (end !== undefined) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

interface Run {
  readonly order: readonly (Arrival & { readonly usedAt: number })[];
  readonly isOtherStopped: boolean;
}

interface Script {
  readonly pages: readonly number[];
  readonly changes: readonly number[];
  readonly until: number;
  /** Further events of both queues and of the clock. */
  readonly also?: (stream: Queue, copy: Queue, clock: ManualClock) => void;
}

async function run({ pages, changes, until, also }: Script): Promise<Run> {
  const clock = createManualClock();
  const start = clock.now();
  const [stream, copy] = [openQueue(), openQueue()];
  const order: (Arrival & { usedAt: number })[] = [];
  let isOtherStopped = false;
  let isBusy = false;
  let isOver = false;
  const arrive = (queue: Queue, arrival: Arrival) => {
    if (arrival.at === 0) queue.add(arrival);
    else void clock.sleep(arrival.at).then(() => queue.add(arrival));
  };
  for (const at of pages) arrive(copy, { kind: 'page', at });
  for (const at of changes) arrive(stream, { kind: 'change', at });
  void clock.sleep(until).then(() => stream.end());
  also?.(stream, copy, clock);
  const stopOther = () => {
    isOtherStopped = true;
    copy.end();
  };
  const use = async () => {
    const isAwaited = () => order.filter(({ kind }) => kind === 'change').length < stream.count();
    for await (const item of interleave(stream, copy, { clock, length, behind, isAwaited, stopOther })) {
      order.push({ ...item, usedAt: clock.now() - start });
      isBusy = true;
      await clock.advance(work[item.kind]);
      isBusy = false;
    }
  };
  const using = use().finally(() => {
    isOver = true;
  });
  // The failure is awaited later.
  using.catch(() => {});
  while (!isOver) {
    const before = order.length;
    // Five rounds are enough for everything that can happen now.
    for (let round = 0; round < 5; round += 1) await setImmediate();
    if (order.length === before && !isBusy && !isOver) await clock.advance(1);
  }
  await using;
  return { order, isOtherStopped };
}

/** `p3 c2`: three pages, then two changes. */
function drawing({ order }: Run): string {
  const runs: string[] = [];
  for (let from = 0; from < order.length; ) {
    const kind = order[from]?.kind;
    const rest = order.findIndex((item, index) => index > from && item.kind !== kind);
    const to = rest < 0 ? order.length : rest;
    runs.push(`${kind?.[0]}${to - from}`);
    from = to;
  }
  return runs.join(' ');
}

const at = (count: number, every: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * every);
const longestWait = ({ order }: Run) =>
  Math.max(...order.filter(({ kind }) => kind === 'change').map((item) => item.usedAt - item.at));

interface Drawing extends Script {
  readonly what: string;
  readonly order: string;
  /** The longest wait of a change. */
  readonly longest?: number;
}

const drawings: readonly Drawing[] = [
  {
    what: 'changes that come all the time wait for a turn of pages, and not for each page',
    pages: at(40, 0),
    changes: at(30, 20, 1),
    until: 700,
    order: 'p8 c6 p8 c5 p8 c5 p8 c6 p8 c8',
    longest: 90,
  },
  { what: 'changes alone come at once', pages: [], changes: at(5, 30), until: 200, order: 'c5', longest: 0 },
  { what: 'pages alone', pages: at(20, 0), changes: [], until: 300, order: 'p20' },
  {
    what: 'pages that come slowly have turns, too',
    pages: at(10, 30),
    changes: at(25, 10, 5),
    until: 400,
    order: 'p3 c16 p5 c9 p2',
    longest: 90,
  },
  {
    what: 'changes do not wait for pages that come seldom',
    pages: [0, 300],
    changes: [20, 100, 120, 200, 310, 400],
    until: 500,
    order: 'p1 c4 p1 c2',
    longest: 70,
  },
  {
    what: 'changes without end leave a part of the time to pages: first half of it, later less',
    pages: at(50, 0),
    changes: at(400, 0),
    until: 3_000,
    order: 'c16 p8 c80 p8 c80 p8 c80 p8 c80 p8 c64 p10',
  },
  {
    what: 'changes that need more than half of the time do not wait longer and longer',
    pages: at(200, 0),
    changes: at(400, 7, 1),
    until: 3_000,
    order: 'p8 c16 p8 c64 p8 c16 p8 c64 p8 c16 p8 c64 p8 c16 p8 c64 p8 c16 p8 c64 p20',
    longest: 300,
  },
  {
    what: 'no change waits for pages that have come to their end',
    pages: at(2, 0),
    changes: [25, 26],
    until: 100,
    also: (_stream, copy, clock) => void clock.sleep(15).then(() => copy.end()),
    order: 'p2 c2',
    longest: 4,
  },
  {
    what: 'a clock that is set back changes no turn',
    pages: at(5, 0),
    changes: [0, 0, 25, 25],
    until: 200,
    also: (_stream, _copy, clock) => {
      const { now } = clock;
      void clock.sleep(30).then(() => Object.assign(clock, { now: () => now() - 3_600_000 }));
    },
    order: 'c2 p5 c2',
  },
];

describe('turns', () => {
  for (const { what, order, longest, ...script } of drawings) {
    test(what, async () => {
      const found = await run(script);
      expect(drawing(found)).toBe(order);
      if (longest !== undefined) expect(longestWait(found)).toBeLessThanOrEqual(longest);
    });
  }
});

describe('the end', () => {
  test('of the changes ends all, in the middle of a turn of pages', async () => {
    const { order, isOtherStopped } = await run({ pages: at(50, 0), changes: [], until: 35 });
    expect(order.map(({ usedAt }) => usedAt)).toEqual([0, 10, 20, 30]);
    expect(isOtherStopped).toBe(true);
  });

  const failures = [
    ['changes', (stream: Queue) => stream.end(new Error('changes'))],
    ['pages', (_stream: Queue, copy: Queue) => copy.end(new Error('pages'))],
  ] as const;
  for (const [what, also] of failures) {
    test(`is a failure of ${what}`, async () => {
      await expect(run({ pages: [], changes: [], until: 100, also })).rejects.toThrow(what);
    });
  }
});
