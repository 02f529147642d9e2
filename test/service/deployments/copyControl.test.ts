import { describe, expect, test } from 'vitest';
import {
  type CopyOrder,
  type CopyState,
  copyStateOf,
  decideCopyOrder,
} from '../../../server/service/deployments/copyControl.ts';
import { decideOccurrence, type NewNames } from '../../../server/service/deployments/lifecycle.ts';
import type { Deployment, DeploymentChange, Pace } from '../../../server/service/storage/deployment.ts';

const recordOf = (id: number, state: Deployment['state'], more: Partial<Deployment> = {}): Deployment => ({
  id,
  state,
  content: 'A',
  deploymentName: `slot_${id}`,
  storageVersion: 2,
  createdAt: 0,
  snapshotDone: false,
  revision: 0,
  ...more,
});
const active = recordOf(1, 'active');
const copying = (pace?: Pace, more: Partial<Deployment> = {}) => [
  active,
  recordOf(2, 'processing', { ...(pace && { pace }), ...more }),
];

/** Returns the changes as text, for example `2 stopped`, or `2 {"rowsPerSecond":9}` for a new pace. */
function drawn(changes: readonly DeploymentChange[]): string {
  return changes
    .map((change) => {
      if (change.kind === 'pace') return `${change.id} ${JSON.stringify(change.pace ?? {})}`;
      if (change.kind === 'rest') return `${change.id} has ${change.hasRest ? 'a' : 'no'} rest`;
      return change.kind === 'state' ? `${change.id} ${change.state}` : change.kind;
    })
    .join(', ');
}

describe('an order for a copy', () => {
  const states: Readonly<Record<CopyState, readonly Deployment[]>> = {
    none: [active],
    copying: copying({ rowsPerSecond: 5 }),
    paused: copying({ isPaused: true, rowsPerSecond: 5 }),
  };
  const expected: Readonly<Record<CopyOrder['kind'], Readonly<Record<CopyState, string>>>> = {
    pause: { none: 'SVC_S4110', copying: '2 {"rowsPerSecond":5,"isPaused":true}', paused: '' },
    resume: { none: 'SVC_S4110', copying: '', paused: '2 {"rowsPerSecond":5}' },
    rate: {
      none: 'SVC_S4110',
      copying: '2 {"rowsPerSecond":9}',
      paused: '2 {"isPaused":true,"rowsPerSecond":9}',
    },
    'give up': { none: 'SVC_S4110', copying: '2 stopped', paused: '2 stopped' },
  };
  const cells = Object.entries(expected).flatMap(([order, row]) =>
    Object.entries(row).map(([state, outcome]) => ({ order, state, outcome })),
  );

  test.each(cells)('$order, $state: $outcome', ({ order, state, outcome }) => {
    const kind = order as CopyOrder['kind'];
    const records = states[state as CopyState];
    expect(copyStateOf(records.find((each) => each.state === 'processing'))).toBe(state);
    const asked: CopyOrder = kind === 'rate' ? { kind, rowsPerSecond: 9 } : { kind };
    const decision = decideCopyOrder(records, asked, undefined);
    expect(decision.refusal ?? drawn(decision.changes)).toBe(outcome);
  });

  test('removes the limit if it is a rate order without a number', () => {
    const { changes = [] } = decideCopyOrder(copying({ rowsPerSecond: 5 }), { kind: 'rate' }, undefined);
    expect(drawn(changes)).toBe('2 {}');
  });

  test('stores no pace if it resumes a copy that has no rate', () => {
    const { changes = [] } = decideCopyOrder(copying({ isPaused: true }), { kind: 'resume' }, undefined);
    expect(changes).toStrictEqual([{ kind: 'pace', id: 2 }]);
  });

  test('to give up a copy beside the active deployment marks the copied rows for deletion', () => {
    const { changes = [] } = decideCopyOrder(copying(undefined, { base: 1 }), { kind: 'give up' }, undefined);
    expect(drawn(changes)).toBe('2 stopped, 1 has a rest');
  });

  test('is refused if it names a deployment that is not being copied', () => {
    expect(decideCopyOrder(copying(), { kind: 'give up' }, 'slot_7').refusal).toBe('SVC_S4110');
    expect(decideCopyOrder(copying(), { kind: 'give up' }, 'slot_2').refusal).toBeUndefined();
  });
});

test('a copy that has to start again keeps the pause and the rate of the previous copy', () => {
  const pace = { isPaused: true, rowsPerSecond: 5 } as const;
  const error = { message: 'gone', at: 1 };
  const naming: NewNames = {
    at: 5,
    deploymentNameOf: (id) => `slot_${id}`,
    storageVersionOf: () => 2,
    coverageOf: () => undefined,
    canCopyAnew: () => false,
  };
  for (const occurrence of [
    { kind: 'backlog lost', id: 2, error, restart: true },
    { kind: 'storage outdated', id: 2, error },
    { kind: 'damaged', id: 2, error },
  ] as const) {
    const insertion = decideOccurrence(copying(pace), occurrence, naming).find(
      ({ kind }) => kind === 'insert',
    );
    expect(insertion).toMatchObject({ pace });
  }
  // A copy that replaces the active deployment has no pace, because the copy of the active one ended long ago.
  const [before] = decideOccurrence(
    [{ ...active, pace }],
    { kind: 'backlog lost', id: 1, error, restart: true },
    naming,
  ).filter(({ kind }) => kind === 'insert');
  expect(before).not.toHaveProperty('pace');
});
