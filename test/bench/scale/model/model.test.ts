import { describe, expect, it } from 'vitest';
import { costs, laws, lineThrough, modelTable } from './model.ts';

describe('the model of scale', () => {
  it('is set beside the figures that it speaks of, and says which constants a run would have given', () => {
    const { fixed, each } = costs.change;
    const cost = (clients: number) => `${((fixed / clients + each) * 2_000).toFixed(4)} µs`;
    const { rows } = modelTable([
      { what: 'one row to 100 clients, p99', measured: '4 ms' },
      { what: '… processor a client', measured: cost(100) },
      { what: 'one row to 1,000 clients, p99', measured: '17 ms' },
      { what: '… processor a client', measured: cost(1_000) },
      { what: 'something else', measured: '1 ms' },
      { what: '… processor a client', measured: '99 µs' },
    ]);
    expect(rows.map(([, , , , off]) => off)).toEqual(['-50 %', '-50 %', undefined, '']);
    expect(rows.at(-2)?.at(-1)).toBe(`${fixed * 2} + ${Number((each * 2).toPrecision(3))} × size`);
  });

  it('counts the predictions that are off by 25 % at most', () => {
    const copied = (rows: number, part: number) => ({
      what: `initial replication of ${rows.toLocaleString('en')} rows`,
      measured: `1/s (${((costs.copy.fixed * 1e6) / rows + costs.copy.each * 1e6) * part} µs of the processor)`,
    });
    const { rows } = modelTable([copied(100_000, 1.2), copied(300_000, 0.5), copied(500_000, 0.85)]);
    expect(rows.at(-1)).toContain('2 of 3');
    expect(modelTable([]).rows).toEqual([]);
  });

  it('has one figure for each of its laws', () => {
    const figures = [
      ...['one row to 100 clients, p99', '… processor a client'],
      ...['memory of an idle client', '… memory 15 s after 5,000 have left'],
      ...['initial replication of 100,000 rows', '… storage of a row of 208 bytes'],
      'first sync, 1 client × 100,000 rows',
      ...['100,000 rows into PostgreSQL: processor', '… storage of a row of 208 bytes'],
      'a process asks for the write checkpoints of 100 uploads: the database',
      'a notification to 100 processes: the database',
      '4 processes: one row to 1,000 clients, p99',
      '… processor of those that serve, a client',
      '… processor of the one that replicates, and of the database',
      '… nothing happens: the database, in a second',
    ];
    const { rows } = modelTable(figures.map((what) => ({ what, measured: '1 2 3 4 5' })));
    expect(rows.filter(([, unit]) => unit !== '')).toHaveLength(laws.length);
  });

  it('has lines through points', () => {
    const points = [1, 2, 4].map((size) => ({ size, measured: 3 + 0.5 * size }));
    const line = lineThrough(points, { fixed: 0, each: 0 });
    expect(line.fixed).toBeCloseTo(3);
    expect(line.each).toBeCloseTo(0.5);
    expect(lineThrough([{ size: 4, measured: 5 }], { fixed: 3, each: 0 })).toEqual({ fixed: 3, each: 0.5 });
  });
});
