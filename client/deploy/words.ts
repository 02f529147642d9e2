/** What a deploy asks, and what became of it, in words. */
import type { ReviewResult } from '../../server/protocol.ts';
import type { ApiFailure } from '../api/failure.ts';
import type { Outcome, Question } from './flow.ts';

/** Lines of the question before a deploy to a service that is not local. */
export function detailsOf({ review, changedElsewhere, replacesPending }: Question): string {
  return [
    ...(changedElsewhere ? ['It was deployed to by someone else since you last did.', ''] : []),
    ...(replacesPending ? ['What is being copied there now will be given up.', ''] : []),
    ...changesOf(review),
    ...(review !== undefined && review.warnings > 0
      ? ['', `The file has ${many(review.warnings, 'warning')}.`]
      : []),
  ].join('\n');
}

const changes = {
  new: 'new',
  gone: 'no longer synced',
  rows: 'clients load it again',
  access: 'who gets which rows changes',
  delivery: 'only its delivery changes',
} as const satisfies Record<ReviewResult['streams'][number]['change'], string>;

function changesOf(review: ReviewResult | undefined): readonly string[] {
  if (review === undefined) return ['What changes is not known: the language server does not run.'];
  if (review.streams.length === 0) return ['No stream changes. All tables are copied again.'];
  return review.streams.map(({ name, change, tables }) => {
    const read = tables.length === 0 ? '' : `; reads ${tables.join(', ')}`;
    return `${name}: ${changes[change]}${read}`;
  });
}

export function summaryOf(outcome: Outcome, target: string): string {
  switch (outcome.kind) {
    case 'foreign':
      return 'This is not a sync config.';
    case 'blocked':
      return `Not deployed: the file has ${many(outcome.errors, 'error')}.`;
    case 'unchanged':
      return outcome.pending
        ? `${target} is copying this very config already.`
        : `${target} has this very config already.`;
    case 'declined':
      return 'Not deployed.';
    case 'active':
      return `Deployed to ${target}: ${changedStreams(outcome.review)}.`;
    case 'stuck':
      return `${target} took the config, but cannot copy: ${outcome.errors[0]?.message ?? 'no reason was given'}`;
    case 'replaced':
      return `${target} took the config, and another deploy replaced it.`;
    case 'unfollowed':
      return `${target} took the config; whether it is active is not known yet.`;
  }
}

function changedStreams(review: ReviewResult | undefined): string {
  if (review === undefined) return 'active';
  const count = review.streams.filter(({ change }) => change !== 'gone').length;
  return count === 0 ? 'no stream changed' : `${many(count, 'stream')} replicating`;
}

/** Refusals whose sentence can be better than the service's own. */
export function explainFailure({ message, facts }: ApiFailure): string {
  switch (facts.code) {
    case 'S4105':
      return `The service's own configuration owns the sync config, so it takes no deploys: ${facts.details ?? message}`;
    case 'S4106':
      return 'A deployment is being copied there. Wait until it is active.';
    case 'S4104':
      return 'Nothing is active there yet, so there is nothing to copy anew.';
    default:
      return message;
  }
}

function many(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
