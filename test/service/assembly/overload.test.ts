import { describe, expect, test } from 'vitest';
import { nextOverload, type Overload, watchOverload } from '../../../server/service/assembly/overload.ts';
import { placesFor, readHandleLimit, readMemoryUse } from '../../../server/service/assembly/resources.ts';
import type { Shedding } from '../../../server/service/http/connections.ts';
import { recordLog } from '../../support/processes/http.ts';

type Use = 'short' | 'between' | 'enough' | 'unknown';

const useOf = {
  short: { of: 'heap', used: 85, limit: 100 },
  between: { of: 'heap', used: 80, limit: 100 },
  enough: { of: 'heap', used: 74, limit: 100 },
  unknown: undefined,
} as const;

const table: Readonly<Record<Overload, Readonly<Record<Use, Overload>>>> = {
  calm: { short: 'guests', between: 'calm', enough: 'calm', unknown: 'calm' },
  guests: { short: 'idle', between: 'guests', enough: 'calm', unknown: 'guests' },
  idle: { short: 'unread', between: 'idle', enough: 'calm', unknown: 'idle' },
  unread: { short: 'unread', between: 'unread', enough: 'calm', unknown: 'unread' },
};

test.each(
  Object.entries(table).flatMap(([state, row]) =>
    Object.entries(row).map(([use, next]) => [state as Overload, use as Use, next] as const),
  ),
)('the state %s, with memory use "%s", becomes %s', (state, use, next) => {
  expect(nextOverload(state, useOf[use])).toBe(next);
});

test('guests are closed first, then idle connections, then unread streams, and the log reports each step once', () => {
  const log = recordLog();
  const closed: Shedding[][] = [];
  let use: Use = 'enough';
  const shed = (kind: Shedding): number => {
    closed.at(-1)?.push(kind);
    return 2;
  };
  const look = watchOverload({ shed }, () => useOf[use], log);
  for (use of [
    'enough',
    'short',
    'between',
    'unknown',
    'short',
    'short',
    'short',
    'between',
    'enough',
  ] as const) {
    closed.push([]);
    look();
  }
  const all: Shedding[] = ['guests', 'idle', 'unread'];
  expect(closed).toEqual([[], ['guests'], [], [], ['guests', 'idle'], all, all, [], []]);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'Memory is short, so the service is closing connections without a token'],
    ['warn', 'Memory is short, so the service is closing connections without a token or a request'],
    [
      'warn',
      'Memory is short, so the service is closing connections without a token or a request, and streams whose client does not read',
    ],
    ['info', 'Enough memory is available again. Connections that were closed: 18'],
  ]);
});

describe('resource limits', () => {
  test.each([
    [20_000, 5_000, 4_984],
    [1_024, 480, 240],
    [256, 96, 48],
    [64, 8, 8],
    [Number.POSITIVE_INFINITY, 5_000, 20_000],
  ])('for %i handles, allow %i guests and %i idle connections', (handles, guestPlaces, idlePlaces) => {
    expect(placesFor(handles)).toEqual({ guestPlaces, idlePlaces });
  });

  test('are read from this process', () => {
    expect(readHandleLimit()).toBeGreaterThan(64);
    const use = readMemoryUse();
    expect(use?.used).toBeGreaterThan(1e6);
    expect(use?.limit).toBeGreaterThan(use?.used ?? Number.POSITIVE_INFINITY);
  });
});
