import { describe, expect, it } from 'vitest';
import { lineThrough, modelTable } from './model.ts';

describe('the model of scale', () => {
  it('is set beside the figures that it speaks of', () => {
    const { rows } = modelTable([
      { what: 'one row to 1,000 clients, p99', measured: '17.7 ms' },
      { what: '… processor a client', measured: '13.0 µs' },
      { what: 'something else', measured: '1 ms' },
      { what: '… processor a client', measured: '99 µs' },
    ]);
    expect(rows).toEqual([
      ['processor of a process, a change: 1,000 clients that get it', '13 ms', '13 ms', '0 %'],
    ]);
  });

  it('says which constants a run would have given', () => {
    const { rows } = modelTable([
      { what: 'one row to 100 clients, p99', measured: '4 ms' },
      { what: '… processor a client', measured: '30.0 µs' },
      { what: 'one row to 1,000 clients, p99', measured: '17 ms' },
      { what: '… processor a client', measured: '12.0 µs' },
    ]);
    expect(rows.at(-1)?.[2]).toBe('2.00 + 0.0100 × size');
  });

  it('has lines through points', () => {
    const line = lineThrough([1, 2, 4].map((size) => ({ size, measured: 3 + 0.5 * size })));
    expect(line.fixed).toBeCloseTo(3);
    expect(line.each).toBeCloseTo(0.5);
  });
});
