/**
 * The actions of an admin on the copy of the pending deployment, as a table.
 *
 *     none ──a deploy──► copying ◄──pause, resume──► paused
 *      ▲                    │                          │
 *      └────────────────────┴──give up, or its end─────┘
 *
 * A rate can be set while the copy is running or paused. The pause and the rate outlast a restart of the service. If a copy has
 * to begin again, for example after its backlog was lost, the new copy keeps both.
 */
import type { Deployment, DeploymentChange, Pace } from '../storage/deployment.ts';
import { type Decision, givenUp, situationOf } from './lifecycle.ts';

export type CopyOrder =
  | { readonly kind: 'pause' | 'resume' | 'give up' }
  /** `rowsPerSecond`: absent means no limit. */
  | { readonly kind: 'rate'; readonly rowsPerSecond?: number };

export type CopyState = 'none' | 'copying' | 'paused';

type Move = 'refuse' | 'stay' | 'pause' | 'go on' | 'set the rate' | 'give it up';

const moves: Readonly<Record<CopyOrder['kind'], Readonly<Record<CopyState, Move>>>> = {
  pause: { none: 'refuse', copying: 'pause', paused: 'stay' },
  resume: { none: 'refuse', copying: 'stay', paused: 'go on' },
  rate: { none: 'refuse', copying: 'set the rate', paused: 'set the rate' },
  'give up': { none: 'refuse', copying: 'give it up', paused: 'give it up' },
};

/** @param deploymentName the copy that is meant; absent: any running copy */
export function decideCopyOrder(
  records: readonly Deployment[],
  order: CopyOrder,
  deploymentName: string | undefined,
): Decision {
  const { pending } = situationOf(records);
  const meant =
    deploymentName === undefined || pending?.deploymentName === deploymentName ? pending : undefined;
  const move = moves[order.kind][copyStateOf(meant)];
  if (meant === undefined || move === 'refuse') return { refusal: 'SVC_S4110' };
  const { id, pace } = meant;
  switch (move) {
    case 'stay':
      return { changes: [] };
    case 'pause':
      return { changes: [{ kind: 'pace', id, pace: { ...pace, isPaused: true } }] };
    case 'go on':
      return { changes: [changeOfPace(id, rateOf(pace))] };
    case 'set the rate': {
      const isPaused = pace?.isPaused && { isPaused: true as const };
      return { changes: [changeOfPace(id, { ...isPaused, ...(order.kind === 'rate' && rateOf(order)) })] };
    }
    case 'give it up':
      return { changes: givenUp(meant) };
  }
}

export function copyStateOf(pending: Pick<Deployment, 'pace'> | undefined): CopyState {
  if (pending === undefined) return 'none';
  return pending.pace?.isPaused ? 'paused' : 'copying';
}

function rateOf({ rowsPerSecond }: Pace = {}): Pace {
  return rowsPerSecond === undefined ? {} : { rowsPerSecond };
}

function changeOfPace(id: number, pace: Pace): DeploymentChange {
  return { kind: 'pace', id, ...(Object.keys(pace).length > 0 && { pace }) };
}
