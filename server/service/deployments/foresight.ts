/** Predicts the result of a deploy with the same tables that decide it, without changing anything. */
import { diffPlans, type StreamDifference } from '../../engine/plan/diff.ts';
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import { meaningOfOptions } from '../../engine/plan/meaning.ts';
import type { TablePattern } from '../../engine/plan/plan.ts';
import type { Deployment, DeploymentChange } from '../storage/deployment.ts';
import { type DeploymentRequest, decideRequest, type NewNames, situationOf } from './lifecycle.ts';
import type { Beside, SyncConfig, SyncConfigs } from './syncConfigs.ts';

/**
 * The outcome of a deploy:
 * - `nothing`: exactly this content is already active.
 * - `at once`: everything that the content needs is stored.
 * - `under way`: the running copy contains everything.
 * - `copy`: missing data is copied, or all data, and clients download it.
 */
type Outcome = 'nothing' | 'at once' | 'under way' | 'copy';

export interface Foresight {
  readonly outcome: Outcome;
  /** Whether another running copy is given up. */
  readonly replacesPending: boolean;
  /** The streams, compared with those of the serving config. */
  readonly streams: readonly ForeseenStream[];
  /** The tables to copy. */
  readonly tables: readonly TablePattern[];
}

interface ForeseenStream extends Pick<StreamDifference, 'stream' | 'change'> {
  /** Whether clients download the stream again. */
  readonly isDownloaded: boolean;
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
  // An option can change values even if the plans stay the same.
  const hasOtherValues =
    before !== undefined && meaningOfOptions(before.options) !== meaningOfOptions(config.options);
  const outcome = outcomeOf(changes, pending);
  const beside = besideIn(changes, { pending, serving, content, outcome, configs });
  const isCopied = outcome === 'copy' || outcome === 'under way';
  return {
    outcome,
    replacesPending: pending !== undefined && changes.some((change) => isStop(change, pending)),
    streams: differences.map(({ stream, change }) => {
      const isOther = hasOtherValues && change !== 'new' && change !== 'gone';
      const isDownloaded = isCopied && change !== 'gone' && beside?.streams.has(stream) !== false;
      return { stream, change: isOther ? 'rows' : change, isDownloaded };
    }),
    tables: outcome === 'copy' ? (beside?.added.tables ?? tablesOf(config.plans)) : [],
  };
}

interface Deploying {
  readonly serving: Deployment | undefined;
  readonly pending: Deployment | undefined;
  readonly content: string;
  readonly outcome: Outcome;
  readonly configs: SyncConfigs;
}

/** Returns the copy beside the serving deployment, which exists already or would begin. Undefined: everything is copied. */
function besideIn(
  changes: readonly DeploymentChange[],
  { serving, pending, content, outcome, configs }: Deploying,
): Beside | undefined {
  if (serving === undefined) return undefined;
  if (outcome === 'under way')
    return pending?.base === undefined ? undefined : configs.beside(serving, pending);
  const begins = changes.some((change) => change.kind === 'insert' && change.base !== undefined);
  return begins ? configs.beside(serving, { id: 0, content }) : undefined;
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
