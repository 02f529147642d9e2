import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveBy } from '../../../../client/console/grid/gridKeys.ts';
import { rowWindow, scrollTo } from '../../../../client/console/grid/rowWindow.ts';

const viewport = (rows: number, scrollTop = 0) => ({ rows, scrollTop, height: 600, rowHeight: 24 });

describe('The drawn rows', () => {
  test('are the visible rows and a few around them', () => {
    expect(rowWindow(viewport(1_000, 2_400))).toEqual({ first: 94, end: 131, top: 2_256, height: 24_000 });
    expect(rowWindow(viewport(3))).toEqual({ first: 0, end: 3, top: 0, height: 72 });
    expect(rowWindow(viewport(0))).toEqual({ first: 0, end: 0, top: 0, height: 0 });
  });

  test('are a small part of a million rows, on a page that every browser can draw', () => {
    const start = rowWindow(viewport(1_000_000));
    expect(start.height).toBeLessThan(17_800_000);
    expect(start).toMatchObject({ first: 0, top: 0 });
    const last = rowWindow(viewport(1_000_000, start.height - 600));
    expect(last.end).toBe(1_000_000);
    // The last row ends where the page ends.
    expect(last.top + (last.end - last.first) * 24).toBeCloseTo(start.height, 3);
  });

  test('fill the viewport at each scroll position', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.double({ min: 0, max: 1, noNaN: true }), (rows, part) => {
        const { height } = rowWindow(viewport(rows));
        const scrollTop = part * Math.max(0, height - 600);
        const { first, end, top } = rowWindow(viewport(rows, scrollTop));
        expect(end - first).toBeLessThanOrEqual(39);
        // No visible part is empty.
        expect(first === 0 || top <= scrollTop).toBe(true);
        expect(end === rows || top + (end - first) * 24 >= scrollTop + 600 - 0.01).toBe(true);
      }),
    );
  });

  test('become visible when the grid scrolls to their index', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.nat(), fc.nat(), (rows, from, to) => {
        const start = scrollTo(viewport(rows), from % rows);
        const row = to % rows;
        const scrollTop = scrollTo(viewport(rows, start), row);
        const { first, top } = rowWindow(viewport(rows, scrollTop));
        const at = top + (row - first) * 24;
        expect(at).toBeGreaterThanOrEqual(scrollTop - 0.01);
        expect(at + 24).toBeLessThanOrEqual(scrollTop + 600.01);
      }),
    );
  });

  test('do not move if the row is already visible', () => {
    expect(scrollTo(viewport(1_000, 2_410), 105)).toBe(2_410);
  });
});

describe('A key in a grid', () => {
  const size = { rows: 100, columns: 4, page: 20 };
  test.each([
    ['ArrowDown', false, { row: 6, column: 1 }],
    ['ArrowUp', false, { row: 4, column: 1 }],
    ['ArrowRight', false, { row: 5, column: 2 }],
    ['ArrowLeft', false, { row: 5, column: 0 }],
    ['ArrowDown', true, { row: 99, column: 1 }],
    ['ArrowUp', true, { row: 0, column: 1 }],
    ['PageDown', false, { row: 25, column: 1 }],
    ['PageUp', false, { row: 0, column: 1 }],
    ['Home', false, { row: 5, column: 0 }],
    ['End', false, { row: 5, column: 3 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 99, column: 3 }],
    ['a', false, undefined],
    ['Tab', false, undefined],
  ])('%s (Ctrl: %s) moves to %j', (key, ctrlKey, place) => {
    expect(moveBy({ key, ctrlKey }, { row: 5, column: 1 }, size)).toEqual(place);
  });

  test('never leaves the grid', () => {
    expect(moveBy({ key: 'PageDown', ctrlKey: false }, { row: 95, column: 0 }, size)).toEqual({
      row: 99,
      column: 0,
    });
    expect(moveBy({ key: 'ArrowUp', ctrlKey: false }, { row: 0, column: 0 }, size)).toEqual({
      row: -1,
      column: 0,
    });
    expect(
      moveBy({ key: 'ArrowDown', ctrlKey: false }, { row: -1, column: 0 }, { ...size, rows: 0 }),
    ).toEqual({
      row: -1,
      column: 0,
    });
  });
});
