/** What a deploy would do, by the same tables that decide it. Nothing happens. */
import { diffPlans, type StreamDifference } from '../../engine/plan/diff.ts';
import { meaningOfOptions } from '../../engine/plan/meaning.ts';
import type { Deployment, DeploymentChange } from '../storage/deployment.ts';
import { type DeploymentRequest, decideRequest, type NewNames, situationOf } from './lifecycle.ts';
import type { SyncConfig, SyncConfigs } from './syncConfigs.ts';

/**
 * - `nothing`: the very same text serves.
 * - `at once`: all of it is stored.
 * - `under way`: the copy that is being made has it.
 * - `copy`: all of it is copied, and clients download it all.
 */
type Outcome = 'nothing' | 'at once' | 'under way' | 'copy';

export interface Foresight {
  readonly outcome: Outcome;
  /** Another copy that is under way is given up. */
  readonly replacesPending: boolean;
  /** Compared with what serves. */
  readonly streams: readonly Pick<StreamDifference, 'stream' | 'change'>[];
}

export function foresee(
  records: readonly Deployment[],
  { content, config }: { readonly content: string; readonly config: SyncConfig },
  { configs, names }: { readonly configs: SyncConfigs; readonly names: NewNames },
): Foresight {
  const request: DeploymentRequest = { kind: 'deploy', content };
  const { serving, pending } = situationOf(records);
  const changes = decideRequest(records, request, names).changes ?? [];
  const before = serving && configs.of(serving);
  const differences = diffPlans(before?.plans ?? [], config.plans);
  // What an option changes, the plans do not show.
  const hasOtherValues =
    before !== undefined && meaningOfOptions(before.options) !== meaningOfOptions(config.options);
  return {
    outcome: outcomeOf(changes, pending),
    replacesPending: pending !== undefined && changes.some((change) => isStop(change, pending)),
    streams: differences.map(({ stream, change }) => {
      const isOther = hasOtherValues && change !== 'new' && change !== 'gone';
      return { stream, change: isOther ? 'rows' : change };
    }),
  };
}

function outcomeOf(changes: readonly DeploymentChange[], pending: Deployment | undefined): Outcome {
  if (changes.some(({ kind }) => kind === 'insert')) return 'copy';
  const isPending = pending !== undefined && !changes.some((change) => isStop(change, pending));
  if (isPending) return 'under way';
  return changes.length === 0 ? 'nothing' : 'at once';
}

function isStop(change: DeploymentChange, { id }: Deployment): boolean {
  return change.kind === 'state' && change.id === id && change.state === 'stopped';
}
