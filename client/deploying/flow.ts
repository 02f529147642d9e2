/**
 * One deploy: look at the text, look at what is deployed, ask where that is needed, send once, follow until it
 * serves, read it back.
 */

import type { ReviewResult } from '../../server/protocol.ts';
import type { Deployed, Diagnosis, ReportedError } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { isFailure } from '../api/failure.ts';
import { isCurrent } from '../health/health.ts';
import { deployOnce } from './once.ts';

export interface DeployParts {
  readonly api: Pick<Api, 'deploy' | 'diagnose'>;
  readonly content: string;
  /** Undefined when there is nobody to ask. */
  readonly review: (before: string | undefined) => Promise<ReviewResult | undefined>;
  /** The slot that was there when we last knew. */
  readonly lastSlot: string | undefined;
  readonly confirm: (question: Question) => Promise<boolean>;
  readonly onStage: (stage: Stage) => void;
  /** Milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Aborted when nobody wants to follow it any more. What is sent is not taken back. */
  readonly following: AbortSignal;
}

export interface Question {
  readonly review: ReviewResult | undefined;
  /** Someone else deployed since we last knew. */
  readonly changedElsewhere: boolean;
  /** Another deployment is still being copied, and will be given up. */
  readonly replacesPending: boolean;
}

export type Stage =
  | { readonly kind: 'sent'; readonly slot: string }
  | { readonly kind: 'copying'; readonly diagnosis: Diagnosis };

export type Outcome =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'blocked'; readonly errors: number; readonly playedDown: readonly string[] }
  /** The very same text is there already: a deploy would only copy everything again. */
  | { readonly kind: 'unchanged'; readonly pending: boolean }
  | { readonly kind: 'declined' }
  | { readonly kind: 'active'; readonly slot: string; readonly review: ReviewResult | undefined }
  /** It is stored, and does not get on. The service tries again and again. */
  | { readonly kind: 'stuck'; readonly slot: string; readonly errors: readonly ReportedError[] }
  | { readonly kind: 'replaced'; readonly slot: string }
  /** Stored; what became of it was not seen. */
  | { readonly kind: 'unfollowed'; readonly slot: string; readonly why: 'stopped' | 'silence' };

export async function deployConfig(parts: DeployParts): Promise<Outcome> {
  const { api, content } = parts;
  const before = await api.diagnose({ content: true });
  const review = await parts.review(before.active?.content);
  if (review?.isSyncConfig === false) return { kind: 'foreign' };
  if (review !== undefined && review.errors > 0)
    return { kind: 'blocked', errors: review.errors, playedDown: review.playedDown };
  const latest = before.pending ?? before.active;
  if (latest?.content === content && !isBroken(latest))
    return { kind: 'unchanged', pending: before.pending !== undefined };
  const question = {
    review,
    changedElsewhere: parts.lastSlot !== undefined && latest !== undefined && latest.slot !== parts.lastSlot,
    replacesPending: before.pending !== undefined,
  };
  if (!(await parts.confirm(question))) return { kind: 'declined' };
  const slot = await deployOnce(api, content, before, parts);
  parts.onStage({ kind: 'sent', slot });
  return follow(slot, review, parts);
}

/** What is looked at is shown elsewhere, too. */
const shown = { clients: true, buckets: true } as const;
/** Milliseconds between two looks. */
const lookEvery = 700;
/** Looks in a row without an answer, before we stop looking. */
const patience = 30;

async function follow(
  slot: string,
  review: ReviewResult | undefined,
  { api, pause, onStage, following }: DeployParts,
): Promise<Outcome> {
  for (let missed = 0; missed < patience; ) {
    try {
      await pause(lookEvery);
      const diagnosis = await api.diagnose(shown, following);
      missed = 0;
      const { active, pending } = diagnosis;
      if (active?.slot === slot) return { kind: 'active', slot, review };
      if (pending?.slot !== slot) return { kind: 'replaced', slot };
      if (isBroken(pending)) return { kind: 'stuck', slot, errors: fatalOf(pending) };
      onStage({ kind: 'copying', diagnosis });
    } catch (error) {
      if (!isFailure(error) || error.kind === 'unauthorized') throw error;
      if (error.kind === 'cancelled') return { kind: 'unfollowed', slot, why: 'stopped' };
      missed += 1;
    }
  }
  return { kind: 'unfollowed', slot, why: 'silence' };
}

function isBroken(deployed: Deployed): boolean {
  return fatalOf(deployed).length > 0;
}

function fatalOf(deployed: Deployed): readonly ReportedError[] {
  return deployed.errors.filter((error) => error.level === 'fatal' && isCurrent(error, deployed));
}
