/** Forecasts of the remaining time of typical copies, with a clock that the test advances. */
import { describe, expect, test } from 'vitest';
import { openForecast } from '../../../../server/service/replication/jobs/forecast.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

interface Table {
  /** The true number of rows. */
  readonly rows: number;
  /** The number of rows that the source reports. */
  readonly estimated?: number;
  readonly bytesPerRow: number;
}

interface Trace {
  readonly tables: readonly Table[];
  /** The time for each byte, in addition to 20 microseconds for each row. The default is 40. */
  readonly nanosecondsPerByte?: number;
  /** The share of the copy from which on the forecast has to be right. The default is a tenth. */
  readonly from?: number;
  /** The slowness of a page, by the share of the copy that is done and a random number between 0 and 1. */
  readonly slowness?: (share: number, drawn: number) => number;
  /** Milliseconds of pause after the page at which this share is done. */
  readonly pause?: { readonly at: number; readonly milliseconds: number };
  /** A limit in rows per second, from this share on. */
  readonly limit?: { readonly at: number; readonly rows: number };
  readonly pageRows?: number;
  /** The largest error of the source's number of rows, as a share of all rows. The forecast may be wrong by as much. */
  readonly doubt?: number;
}

interface Look {
  readonly share: number;
  readonly remaining: number | undefined;
  /** The true remaining time in milliseconds, without the pause. */
  readonly actual: number;
}

function looksAt({
  tables,
  nanosecondsPerByte = 40,
  slowness = () => 1,
  pause,
  limit,
  pageRows = 500,
}: Trace): readonly Look[] {
  let now = 0;
  const microseconds = (bytes: number) => 20 + (nanosecondsPerByte * bytes) / 1000;
  const forecast = openForecast({ now: () => now, steady: () => now, sleep: async () => {} });
  let drawn = 0.5;
  const draw = () => {
    drawn = (drawn * 7919 + 0.1234567) % 1;
    return drawn;
  };
  const all = tables.reduce((sum, { rows, bytesPerRow }) => sum + rows * microseconds(bytesPerRow), 0);
  let done = 0;
  let paused = 0;
  let isLimited = false;
  const looks: { share: number; at: number; remaining: number | undefined }[] = [];
  tables.forEach(({ rows, estimated = rows, bytesPerRow }, id) => {
    forecast.table(id, { copied: false, copiedRows: 0, estimatedRows: estimated });
    forecast.size(id, bytesPerRow);
  });
  forecast.goOn(undefined);
  tables.forEach(({ rows, estimated = rows, bytesPerRow }, id) => {
    for (let copiedRows = 0; copiedRows < rows; ) {
      const page = Math.min(pageRows, rows - copiedRows);
      const own = page * microseconds(bytesPerRow);
      const usual = (own * slowness(done / all, draw())) / 1000;
      const isNow = limit !== undefined && done / all >= limit.at;
      now += isNow ? Math.max(usual, (1000 * page) / limit.rows) : usual;
      copiedRows += page;
      done += own;
      forecast.table(id, { copied: copiedRows === rows, copiedRows, estimatedRows: estimated });
      if (limit !== undefined && !isLimited && done / all >= limit.at) {
        isLimited = true;
        forecast.goOn(limit.rows);
      }
      looks.push({ share: done / all, at: now - paused, remaining: forecast.read().remaining });
      if (pause !== undefined && paused === 0 && done / all >= pause.at) {
        forecast.pause();
        now += pause.milliseconds;
        paused = pause.milliseconds;
        expect(forecast.read().remaining).toBeUndefined();
        forecast.goOn(undefined);
      }
    }
  });
  const end = now - paused;
  return looks.map(({ share, at, remaining }) => ({ share, remaining, actual: end - at }));
}

/** Returns the relative error of each look after this share. Differences up to `doubt` of the total time do not count. */
function errorsAfter(share: number, looks: readonly Look[], doubt = 0.01): readonly number[] {
  const whole = looks[0]?.actual ?? 0;
  return looks
    .filter((look) => look.share >= share && look.share < 1)
    .map(({ remaining, actual }) =>
      remaining === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(0, Math.abs(remaining - actual) - doubt * whole) / actual,
    );
}

const two: readonly Table[] = [
  { rows: 600_000, bytesPerRow: 120 },
  { rows: 200_000, bytesPerRow: 2_000 },
];
const traces: Readonly<Record<string, Trace>> = {
  'one table': { tables: [{ rows: 500_000, bytesPerRow: 200 }] },
  'pages that take between half and twice as long': {
    tables: [{ rows: 500_000, bytesPerRow: 200 }],
    slowness: (_, drawn) => 0.5 + 1.5 * drawn,
  },
  'two tables with rows of different sizes, the small rows first': { tables: two },
  'two tables with rows of different sizes, the large rows first': { tables: two.toReversed() },
  'a storage that needs less time per byte than usual': { tables: two, nanosecondsPerByte: 30 },
  'a storage that needs more time per byte than usual': { tables: two.toReversed(), nanosecondsPerByte: 50 },
  'a storage that is a third slower at the end': {
    tables: two,
    slowness: (share, drawn) => (0.8 + 0.4 * drawn) * (1 + share / 3),
  },
  'another program that takes half of the machine for a while': {
    tables: [{ rows: 900_000, bytesPerRow: 200 }],
    slowness: (share) => (share > 0.4 && share < 0.45 ? 2 : 1),
  },
  'a storage that takes twice as long after 30 %, once 60 % is copied': {
    tables: [{ rows: 900_000, bytesPerRow: 200 }],
    slowness: (share) => (share > 0.3 ? 2 : 1),
    from: 0.6,
  },
  'a source whose statistics are up to 10 % too low or too high': {
    doubt: 0.1,
    tables: [
      { rows: 300_000, estimated: 270_000, bytesPerRow: 120 },
      { rows: 300_000, estimated: 330_000, bytesPerRow: 120 },
      { rows: 200_000, estimated: 190_000, bytesPerRow: 900 },
    ],
  },
  'ten tables, small and large': {
    tables: Array.from({ length: 10 }, (_, n) => ({
      rows: 10_000 + 17_000 * ((n * 7) % 10),
      bytesPerRow: 60 + 150 * ((n * 3) % 10),
    })),
  },
};

describe('the remaining time is right within 20 % after a tenth of the copy', () => {
  test.each(Object.entries(traces))('for %s', (_, trace) => {
    expect(Math.max(...errorsAfter(trace.from ?? 0.1, looksAt(trace), trace.doubt))).toBeLessThan(0.2);
  });

  test('for a copy that was paused for a day', () => {
    const pause = { at: 0.3, milliseconds: 86_400_000 };
    expect(Math.max(...errorsAfter(0.1, looksAt({ tables: two, pause })))).toBeLessThan(0.2);
  });

  test('for a copy with a new limit, as soon as that is set', () => {
    const limit = { at: 0.3, rows: 2_000 };
    const looks = looksAt({ tables: [{ rows: 100_000, bytesPerRow: 200 }], limit });
    expect(Math.max(...errorsAfter(0.3, looks))).toBeLessThan(0.2);
  });
});

describe('the forecast of a copy', () => {
  test('has no speed before a second has passed, and no total if the size of a table is unknown', async () => {
    const clock = createManualClock();
    const forecast = openForecast(clock);
    forecast.table(1, { copied: false, copiedRows: 0, estimatedRows: 10_000 });
    forecast.goOn(undefined);
    await clock.advance(500);
    forecast.table(1, { copied: false, copiedRows: 500, estimatedRows: 10_000 });
    expect(forecast.read()).toEqual({ rows: 500, ofRows: 10_000 });
    await clock.advance(600);
    forecast.table(1, { copied: false, copiedRows: 1_100, estimatedRows: 10_000 });
    expect(forecast.read()).toEqual({
      rows: 1_100,
      ofRows: 10_000,
      rowsPerSecond: expect.closeTo(1000),
      remaining: expect.closeTo(8_900),
    });
    forecast.table(2, { copied: false, copiedRows: 0 });
    expect(forecast.read()).toEqual({ rows: 1_100 });
  });

  test('assumes the mean size of the measured tables for the others', async () => {
    const remainingWith = async (sizes: readonly number[]) => {
      const clock = createManualClock();
      const forecast = openForecast(clock);
      const copied = (id: number, copiedRows: number) =>
        forecast.table(id, { copied: false, copiedRows, estimatedRows: 10_000 });
      for (const id of [0, 1, 2]) copied(id, 0);
      for (const [id, size] of sizes.entries()) forecast.size(id, size);
      forecast.goOn(undefined);
      await clock.advance(2_000);
      copied(0, 5_000);
      return forecast.read().remaining;
    };
    expect(await remainingWith([1_000, 3_000])).toBe(await remainingWith([1_000, 3_000, 2_000]));
    expect(await remainingWith([1_000, 3_000])).not.toBe(await remainingWith([1_000, 3_000, 0]));
    expect(await remainingWith([])).toBe(await remainingWith([0, 0, 0]));
  });

  test('counts the actual rows of a finished table instead of the estimate of the source', () => {
    const forecast = openForecast(createManualClock());
    forecast.table(1, { copied: true, copiedRows: 30, estimatedRows: 10_000 });
    forecast.table(2, { copied: false, copiedRows: 0, estimatedRows: 50 });
    expect(forecast.read()).toEqual({ rows: 30, ofRows: 80 });
  });

  test('shows a longer remaining time if the copy stops advancing, and then none', async () => {
    const clock = createManualClock();
    const forecast = openForecast(clock);
    const at = (copiedRows: number) =>
      forecast.table(1, { copied: false, copiedRows, estimatedRows: 10_000 });
    at(0);
    forecast.goOn(undefined);
    for (let rows = 100; rows <= 2_000; rows += 100) {
      await clock.advance(100);
      at(rows);
    }
    const { remaining = 0 } = forecast.read();
    expect(remaining).toBeCloseTo(8_000, -2);
    await clock.advance(11_500);
    expect(forecast.read().remaining).toBeGreaterThan(1.2 * remaining);
    await clock.advance(60_000);
    expect(forecast.read()).toEqual({ rows: 2_000, ofRows: 10_000 });
  });

  test('does not count rows from before a restart for the speed', async () => {
    const clock = createManualClock();
    const forecast = openForecast(clock);
    forecast.table(1, { copied: false, copiedRows: 5_000, estimatedRows: 10_000 });
    forecast.goOn(undefined);
    for (let rows = 5_000; rows <= 6_000; rows += 100) {
      forecast.table(1, { copied: false, copiedRows: rows, estimatedRows: 10_000 });
      await clock.advance(200);
    }
    expect(forecast.read().rowsPerSecond).toBeCloseTo(500, -2);
  });
});
