import { describe, expect, test } from 'vitest';
import type { TableChange } from '../../../../client/console/devices/device.ts';
import { fastest, keepPace, samplingInterval } from '../../../../client/console/devices/pace.ts';
import { marksLast, type ShownRows, showRows } from '../../../../client/console/devices/shownRows.ts';

const row = (id: string) => ({ id, data: `{"id":"${id}"}` });
const rowsOf = (ids: string) => ids.split('').map(row);
const change = (came: string, changed = '', gone = ''): TableChange => ({
  came: rowsOf(came),
  changed: rowsOf(changed),
  gone: rowsOf(gone),
});

/** Draws the rows and their marks as `a+ b c-`. */
function drawn(rows: ShownRows): string {
  const signs = { came: '+', changed: '~', gone: '-', none: '' } as const;
  return rows
    .list()
    .map(({ row: { id }, mark }) => `${id}${signs[mark]}`)
    .join(' ');
}

describe('Rows of a table', () => {
  test('flash when they are added or changed, fade when they are removed, and keep their order', () => {
    const rows = showRows();
    rows.apply(change('abc'), 0, 'beginning');
    expect(drawn(rows)).toBe('a b c');
    rows.apply(change('d', 'b', 'a'), 2_000, 'marked');
    expect(drawn(rows)).toBe('d+ a- b~ c');
    expect(rows.size()).toBe(3);
    rows.sweep(2_000 + marksLast - 1);
    expect(drawn(rows)).toBe('d+ a- b~ c');
    rows.sweep(2_000 + marksLast);
    expect(drawn(rows)).toBe('d b c');
  });

  test('are added at the top, and stay in place when they change', () => {
    const rows = showRows();
    rows.apply(change('ab'), 0, 'beginning');
    rows.apply(change('c'), 1, 'plain');
    rows.apply(change('d', 'c'), 2, 'plain');
    expect(drawn(rows)).toBe('d c a b');
  });

  test('appear only once if they return while they fade', () => {
    const rows = showRows();
    rows.apply(change('ab'), 0, 'beginning');
    rows.apply(change('', '', 'a'), 0, 'marked');
    rows.apply(change('a'), 10, 'marked');
    expect(drawn(rows)).toBe('a+ b');
    rows.sweep(10_000);
    expect(drawn(rows)).toBe('a b');
    expect(rows.size()).toBe(2);
  });

  test('have no marks while too many of them change', () => {
    const rows = showRows();
    rows.apply(change('abc'), 0, 'beginning');
    rows.apply(change('', 'b', 'a'), 1, 'plain');
    expect(drawn(rows)).toBe('b c');
  });

  test('have at most 500 marks, however many rows change at once', () => {
    const rows = showRows();
    const came = Array.from({ length: 2_000 }, (_, index) => row(String(index)));
    rows.apply({ came, changed: [], gone: [] }, 0, 'marked');
    expect(rows.list().filter(({ mark }) => mark !== 'none')).toHaveLength(500);
    rows.apply({ came: [], changed: [], gone: came }, 1, 'marked');
    expect(rows.list().length).toBeLessThanOrEqual(500);
    expect(rows.size()).toBe(0);
    rows.sweep(5_000);
    expect(rows.list()).toEqual([]);
  });
});

describe('The pace', () => {
  test('follows the rows while a person can follow them, and samples them above that rate', () => {
    const pace = keepPace();
    pace.note(fastest, 1_000);
    expect(pace.interval(1_050)).toBe(0);
    pace.note(800, 1_100);
    expect(pace.perSecond(1_200)).toBe(fastest + 800);
    expect(pace.isSampling(1_200)).toBe(true);
    expect(pace.interval(1_200)).toBe(samplingInterval);
    expect(pace.interval(2_300)).toBe(0);
  });

  test('stays correct when the clock jumps back', () => {
    const pace = keepPace();
    pace.note(5_000, 100_000);
    expect(pace.perSecond(50_000)).toBe(0);
    pace.note(3, 50_000);
    expect(pace.perSecond(50_100)).toBe(3);
  });
});
