import { describe, expect, test } from 'vitest';
import type { Deployment, Diagnosis } from '../../../client/api/answers.ts';
import {
  afterSight,
  type Ending,
  type FollowLimits,
  firstWait,
  type Sight,
  sightOf,
  type WaitState,
} from '../../../client/deploying/follow.ts';

const limits: FollowLimits = {
  pause: { first: 100, longest: 300, growth: 2 },
  mostFailures: 2,
  mostSilences: 3,
};
const errors = [{ level: 'fatal', message: 'No such table.' }] as const;

const sights = {
  active: { kind: 'active' },
  replaced: { kind: 'replaced' },
  failing: { kind: 'failing', errors },
  copying: { kind: 'copying' },
  nothing: { kind: 'nothing' },
} as const satisfies Record<Sight['kind'], Sight>;

const waiting = (failures: number, silences: number, pause: number): WaitState => ({
  kind: 'waiting',
  failures,
  silences,
  pause,
});

/** The first state, and the last states before failures or silences end the wait, each with its successors. */
const table: readonly (readonly [WaitState, Readonly<Record<Sight['kind'], WaitState | Ending>>])[] = [
  [
    waiting(0, 0, 100),
    {
      active: { kind: 'active' },
      replaced: { kind: 'replaced' },
      failing: waiting(1, 0, 200),
      copying: waiting(0, 0, 200),
      nothing: waiting(0, 1, 200),
    },
  ],
  [
    waiting(1, 0, 200),
    {
      active: { kind: 'active' },
      replaced: { kind: 'replaced' },
      failing: { kind: 'failed', errors },
      copying: waiting(0, 0, 300),
      nothing: waiting(0, 1, 300),
    },
  ],
  [
    waiting(0, 2, 300),
    {
      active: { kind: 'active' },
      replaced: { kind: 'replaced' },
      failing: waiting(1, 0, 300),
      copying: waiting(0, 0, 300),
      nothing: { kind: 'unfollowed', why: 'silence' },
    },
  ],
];

describe('Waiting for a deployment', () => {
  test('begins with the first pause', () => {
    expect(firstWait(limits)).toEqual(waiting(0, 0, 100));
  });

  test.each(
    table.flatMap(([state, row]) =>
      Object.values(sights).map((sight) => [state, sight, row[sight.kind]] as const),
    ),
  )('%j, then %j', (state, sight, expected) => {
    expect(afterSight(state, sight, limits)).toEqual(expected);
  });
});

const deployed = (slot: string, more: Partial<Deployment> = {}): Deployment => ({
  slot,
  copied: true,
  tables: [],
  errors: [],
  ...more,
});
const diagnosis = (found: Partial<Diagnosis>): Diagnosis => ({ at: 0, sources: [], ...found });

describe('A look shows', () => {
  test.each<[string, Diagnosis | undefined, Sight['kind']]>([
    ['no answer', undefined, 'nothing'],
    ['a service without deployments', diagnosis({}), 'nothing'],
    ['our deployment as active', diagnosis({ active: deployed('ours') }), 'active'],
    [
      'our deployment as active, and a newer one pending',
      diagnosis({ active: deployed('ours'), pending: deployed('b') }),
      'active',
    ],
    [
      'our deployment pending behind the old one',
      diagnosis({ active: deployed('a'), pending: deployed('ours') }),
      'copying',
    ],
    ['our deployment pending, and none active', diagnosis({ pending: deployed('ours') }), 'copying'],
    ['our deployment with an error', diagnosis({ pending: deployed('ours', { errors }) }), 'failing'],
    [
      'another deployment pending behind the old one',
      diagnosis({ active: deployed('a'), pending: deployed('b') }),
      'replaced',
    ],
    ['another deployment as active', diagnosis({ active: deployed('b') }), 'replaced'],
  ])('%s', (_, found, kind) => {
    expect(sightOf({ slot: 'ours' }, found).kind).toBe(kind);
  });

  test('no error if there was progress after it', () => {
    const pending = deployed('ours', { errors: [{ ...errors[0], at: 1 }], progressAt: 2 });
    expect(sightOf({ slot: 'ours' }, diagnosis({ pending }))).toEqual({ kind: 'copying' });
  });
});
