import type { CopyOutcome } from '../api/answers.ts';
import type { CopyRequest } from '../api/api.ts';
import { t } from '../l10n.ts';
import { countText } from './words.ts';

/** Describes the effect of a request on a copy. */
export function describeCopyOutcome(
  { action }: Pick<CopyRequest, 'action'>,
  outcome: CopyOutcome,
  target: string,
): string {
  if (outcome.kind === 'given up') return t('{0} has given up the copy.', target);
  const limit = outcome.limit === undefined ? undefined : countText(outcome.limit);
  if (outcome.kind === 'paused') {
    if (action !== 'rate') return t('{0} has paused the copy.', target);
    return limit === undefined
      ? t('{0} will copy at full speed. The copy is still paused.', target)
      : t('{0} will copy at most {1} rows a second. The copy is still paused.', target, limit);
  }
  if (limit !== undefined) return t('{0} copies at most {1} rows a second.', target, limit);
  return action === 'rate'
    ? t('{0} is copying at full speed.', target)
    : t('{0} continues the copy.', target);
}
