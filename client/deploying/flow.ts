/**
 * One deploy, for the editor and the command line: reads the deployed config, reviews the new one, asks the user if necessary,
 * sends the config once, and follows the deployment until it is active.
 */
import type { ReviewResult } from '../../server/protocol.ts';
import type { AffectedUsers } from '../api/affectedUsers.ts';
import type { Deployment, Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { keyOfConfig, namesOf, type SentConfig } from '../api/deployedConfig.ts';
import type { Forecast } from '../api/forecast.ts';
import type { MissingPart } from '../api/missing.ts';
import type { DeployPlan } from '../api/plan.ts';
import { type Ending, type FollowParts, fatalErrors, follow } from './follow.ts';
import { deployOnce } from './once.ts';

interface Policy {
  /**
   * The action if the same config is already deployed without errors. `leave`: do nothing, whether it is active or being
   * copied. `follow`: follow it while it is being copied. `send`: send it anyway.
   */
  readonly same: 'leave' | 'follow' | 'send';
  /** Whether to stop when the config is sent, or to wait until it is active. */
  readonly end: 'sent' | 'active';
}

export interface DeployParts extends Omit<FollowParts, 'onCopying'> {
  readonly api: Pick<Api, 'deploy' | 'deploySlowly' | 'diagnose'>;
  readonly content: string;
  /** The maximum number of rows that are copied per second. It also applies to a copy in progress. */
  readonly rate?: number | undefined;
  readonly policy: Policy;
  /** The user, for the list of deployed configs. */
  readonly user?: string | undefined;
  /** Reviews the config. Undefined if no language server is available. */
  readonly review: (before: string | undefined) => Promise<ReviewResult | undefined>;
  /** Returns the plan of the service for the config, if the service can report one. */
  readonly plan?: () => Promise<DeployPlan | undefined>;
  /** Returns the users who would gain or lose rows, if the service reports them. */
  readonly affected?: () => Promise<AffectedUsers | undefined>;
  /** Returns the amounts that clients would get, if the service reports them. */
  readonly forecast?: () => Promise<Forecast | undefined>;
  /** Checks the config against the source. Absent if the review already does this. */
  readonly check?: () => Promise<SourceCheck>;
  /**
   * The last config that we have deployed, if known. Another user may have deployed a different config into the same
   * deployment.
   */
  readonly lastContent: string | undefined;
  readonly confirm: (question: Question) => Promise<boolean>;
  /** Whether the answer may take long. If the service has another config by then, the question is asked again. */
  readonly isSlowToConfirm?: boolean;
  /** Aborted if the user cancels before the config is sent. Then it is not sent. */
  readonly preparing?: AbortSignal;
  readonly onStage: (stage: Stage) => void;
}

/** The result of checking a config against the current database of the service. */
export interface SourceCheck {
  /** The missing tables and columns. Undefined if the service does not report its tables. */
  readonly missing: readonly MissingPart[] | undefined;
  /** All other problems that prevent rows from syncing, in the words of the service. */
  readonly warnings: readonly string[];
}

export interface Question {
  readonly review: ReviewResult | undefined;
  readonly source: SourceCheck;
  /** Absent if the service does not report it. */
  readonly plan?: DeployPlan | undefined;
  /** Absent if the service does not report it. */
  readonly affected?: AffectedUsers | undefined;
  /** Absent if the service does not report it. */
  readonly forecast?: Forecast | undefined;
  /** The maximum number of rows that are copied per second. Absent: no maximum. */
  readonly rate?: number | undefined;
  /** Whether another user has deployed since our last deploy. */
  readonly changedElsewhere: boolean;
  /** Whether another deployment is still being copied, which will be given up. */
  readonly replacesPending: boolean;
  /** Whether the service has a config, so that the texts can be compared. */
  readonly hasDeployed: boolean;
}

type Stage =
  | { readonly kind: 'sent'; readonly sent: SentConfig }
  | { readonly kind: 'copying'; readonly diagnosis: Diagnosis };

/** `review` contains the changes, if they are known. */
interface SentDeploy {
  readonly sent: SentConfig;
  readonly review: ReviewResult | undefined;
  readonly source: SourceCheck;
}

const unchecked: SourceCheck = { missing: undefined, warnings: [] };

export type Outcome =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'blocked'; readonly errors: number; readonly playedDown: readonly string[] }
  /** Exactly this config is already deployed, so a deploy would only copy everything again. */
  | {
      readonly kind: 'unchanged';
      readonly sent: SentConfig;
      readonly pending: boolean;
      readonly source: SourceCheck;
    }
  | { readonly kind: 'declined' }
  | (SentDeploy & Ending);

export async function deployConfig(parts: DeployParts): Promise<Outcome> {
  const { api, content, policy, preparing } = parts;
  const before = await api.diagnose({ content: true }, preparing);
  const review = await parts.review(before.active?.content);
  if (review?.isSyncConfig === false) return { kind: 'foreign' };
  if (review !== undefined && review.errors > 0)
    return { kind: 'blocked', errors: review.errors, playedDown: review.playedDown };
  const source = (await parts.check?.()) ?? unchecked;
  const { pending } = before;
  const latest = pending ?? before.active;
  const isSlowed = pending?.content === content && parts.rate !== undefined;
  if (policy.same === 'follow' && pending?.content === content && !isSlowed)
    return followSent({ sent: namesOf(pending), review, source }, parts);
  if (policy.same !== 'send' && !isSlowed && latest?.content === content && isWorking(latest))
    return { kind: 'unchanged', sent: namesOf(latest), pending: pending !== undefined, source };
  const [plan, affected, forecast] = await Promise.all([
    parts.plan?.(),
    parts.affected?.(),
    parts.forecast?.(),
  ]);
  const question = {
    review,
    source,
    plan,
    affected,
    forecast,
    rate: parts.rate,
    changedElsewhere:
      parts.lastContent !== undefined && latest !== undefined && latest.content !== parts.lastContent,
    replacesPending: pending !== undefined && !isSlowed,
    hasDeployed: latest !== undefined,
  };
  if (preparing?.aborted || !(await parts.confirm(question)) || preparing?.aborted)
    return { kind: 'declined' };
  if (parts.isSlowToConfirm) {
    const now = await api.diagnose({ content: true }, preparing);
    if (stateOf(now) !== stateOf(before)) return deployConfig(parts);
  }
  const sent = await deployOnce(api, content, before, parts, parts.rate);
  return followSent({ sent, review, source }, parts);
}

/** Returns a text that is different if the service has other configs. */
function stateOf({ active, pending }: Diagnosis): string {
  return JSON.stringify([active, pending].map((each) => [keyOfConfig(each), each?.content]));
}

async function followSent(deploy: SentDeploy, parts: DeployParts): Promise<Outcome> {
  const { policy, onStage } = parts;
  const { sent } = deploy;
  onStage({ kind: 'sent', sent });
  if (policy.end === 'sent') return { ...deploy, kind: 'unfollowed', why: 'unasked' };
  const onCopying = (diagnosis: Diagnosis): void => onStage({ kind: 'copying', diagnosis });
  return { ...deploy, ...(await follow(sent, { ...parts, onCopying })) };
}

function isWorking(deployed: Deployment): boolean {
  return fatalErrors(deployed).length === 0;
}
