import { describe, expect, it } from 'vitest';
import { comparison, tableOf } from './figure.ts';

describe('the tables of the scale bench', () => {
  it('have an empty cell for an unknown value', () => {
    expect(tableOf([{ what: 'a', measured: '1 ms', wanted: '≤ 2 ms' }])).toEqual({
      head: ['what', 'measured', 'limit of the machine', 'ratio', 'wanted'],
      rows: [['a', '1 ms', '', '', '≤ 2 ms']],
    });
  });

  it('show each figure next to the former one with the same name, in order if a name occurs several times', () => {
    const former = [
      { what: 'a', measured: '1' },
      { what: 'each', measured: '2' },
      { what: 'each', measured: '3' },
    ];
    const now = [
      { what: 'new', measured: '0' },
      { what: 'each', measured: '20' },
      { what: 'a', measured: '10' },
      { what: 'each', measured: '30' },
    ];
    expect(comparison(former, now).rows.map(([what, before, measured]) => [what, before, measured])).toEqual([
      ['new', '–', '0'],
      ['each', '2', '20'],
      ['a', '1', '10'],
      ['each', '3', '30'],
    ]);
  });

  it('keep a figure that only the former run has', () => {
    expect(comparison([{ what: 'gone', measured: '1' }], []).rows).toEqual([['gone', '1', '–']]);
  });
});
