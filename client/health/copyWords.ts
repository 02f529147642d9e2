/** The progress of a copy, and the effect of a request on it. */
import type { CopyOutcome, CopyStatus } from '../api/answers.ts';
import type { CopyRequest } from '../api/api.ts';
import { t } from '../l10n.ts';
import { age, countText, rowsText } from './amounts.ts';

/** Returns the progress of a copy as a sentence. */
export function copySentence(copy: CopyStatus, phase: string | undefined): string {
  if (copy.rows !== undefined) return t('Copied so far: {0}.', copyText(copy));
  return phase === 'preparing'
    ? t('The copy is ready to start and is waiting for the open transactions of the source to end.')
    : t('The tables are being copied. The service does not report its progress.');
}

/** Returns the progress of a copy, and the time that the remaining rows may take. Empty if neither is known. */
export function copyText(copy: CopyStatus): string {
  const { isPaused, rows, ofRows, rowsPerSecond, remainingSeconds, limit } = copy;
  const counted =
    ofRows === undefined || ofRows <= (rows ?? 0)
      ? rowsText
      : (some: number) => t('{0} of about {1}', countText(some), rowsText(ofRows));
  const facts = [
    rows !== undefined && counted(rows),
    !isPaused && rowsPerSecond !== undefined && t('{0} a second', countText(rowsPerSecond)),
    limit !== undefined && t('at most {0} a second', countText(limit)),
    !isPaused && remainingSeconds !== undefined && t('about {0} left', age(1000 * remainingSeconds)),
  ];
  return facts.filter((fact) => fact !== false).join(', ');
}

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
