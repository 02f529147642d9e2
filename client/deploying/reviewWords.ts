/** Sentences about the changes and the result of a deploy, in plain English. */
import type { ReviewResult } from '../../server/protocol.ts';
import type { ApiFailure } from '../api/failure.ts';
import { describeMissing } from '../api/missing.ts';
import { t } from '../l10n.ts';
import type { Outcome, Question, SourceCheck } from './flow.ts';

/** Returns the problems that prevent parts of the config from syncing. */
export function problemsOf({ missing = [], warnings }: SourceCheck): readonly string[] {
  return [...describeMissing(missing), ...warnings];
}

/** Returns the rows that the deploy copies. */
export function planOf(plan: Question['plan']): readonly string[] {
  switch (plan?.outcome) {
    case 'at_once':
      return [t('The new config is active at once: no rows are copied, and clients keep their rows.')];
    case 'copy': {
      const counts = plan.tables.flatMap(({ rows }) => rows ?? []);
      const rows = counts.reduce((sum, count) => sum + count, 0).toLocaleString();
      const uncounted = plan.tables.length - counts.length;
      if (uncounted === 0) return [t('Copied tables: {0}, rows: about {1}.', plan.tables.length, rows)];
      return counts.length === 0
        ? [t('Copied tables: {0}. The number of rows is unknown.', plan.tables.length)]
        : [
            t(
              'Copied tables: {0}, rows: about {1}, and an unknown number in {2} of the tables.',
              plan.tables.length,
              rows,
              uncounted,
            ),
          ];
    }
    case 'under_way':
      return [t('The copy in progress continues.')];
    case 'nothing':
      return [t('Nothing changes: exactly this config is active.')];
    default:
      return [];
  }
}

/** Describes the smallest rows with which a user gains or loses a row. */
export function sentenceOfAccess({
  kind,
  stream,
  table,
  id,
  who,
  rows,
  columns,
  doubt,
}: NonNullable<ReviewResult['access']>['changes'][number]): string {
  const user = who === undefined ? t('Anybody') : t('A user with {0}', who);
  const given = rows.join(', ');
  const what = columns === undefined ? table : t('{0} of {1}', columns.join(', '), table);
  const sentence =
    kind === 'gained'
      ? t('{0} gets {1} {2} through the stream {3}, with {4}', user, what, id, stream, given)
      : t('{0} no longer gets {1} {2} through the stream {3}, with {4}', user, what, id, stream, given);
  return doubt === undefined
    ? sentence
    : t('{0} (if the constraints of the source, which are not known, allow these rows)', sentence);
}

export function wordsOfChange(change: ReviewResult['streams'][number]['change']): string {
  switch (change) {
    case 'new':
      return t('new');
    case 'gone':
      return t('no longer synced');
    case 'rows':
      return t('clients download it again');
    case 'access':
      return t('different clients get it');
    case 'delivery':
      return t('only its priority or subscription changes');
  }
}

export function warningsOf(number: number): string {
  return number === 1 ? t('The file has 1 warning.') : t('The file has {0} warnings.', number);
}

export function summaryOf(outcome: Outcome, target: string): string {
  switch (outcome.kind) {
    case 'foreign':
      return t('This is not a sync config.');
    case 'blocked':
      return [errorsOf(outcome.errors), ...playedDown(outcome.playedDown)].join('\n');
    case 'unchanged':
      return withProblems(
        outcome.pending
          ? t('{0} is already copying exactly this config.', target)
          : t('{0} already has exactly this config.', target),
        outcome.source,
      );
    case 'declined':
      return t('Not deployed.');
    case 'active':
      return withProblems(
        [t('Deployed to {0}: {1}.', target, streamsOf(outcome.review)), ...lossesOf(outcome.review)].join(
          ' ',
        ),
        outcome.source,
      );
    case 'failed':
      return t(
        '{0} accepted the config, but cannot copy: {1}',
        target,
        outcome.errors[0]?.message ?? t('no reason was given'),
      );
    case 'replaced':
      return t('{0} accepted the config, but another deploy replaced it.', target);
    case 'unfollowed':
      return outcome.why === 'stopped'
        ? t(
            '{0} accepted the config and continues to deploy it. Its progress is no longer followed here.',
            target,
          )
        : t('{0} accepted the config. It is not known yet whether it is active.', target);
  }
}

function errorsOf(number: number): string {
  return number === 1
    ? t('Not deployed: the file has 1 error.')
    : t('Not deployed: the file has {0} errors.', number);
}

/** Names the codes whose severity the settings lower, because the user would not find these errors otherwise. */
function playedDown(errors: readonly string[]): readonly string[] {
  if (errors.length === 0) return [];
  return [
    t('The setting {0} changes the severity of these errors:', 'headwater.diagnostics.severity'),
    ...errors.map((error) => `  ${error}`),
  ];
}

function withProblems(sentence: string, source: SourceCheck): string {
  return [sentence, ...problemsOf(source)].join(' ');
}

function streamsOf(review: ReviewResult | undefined): string {
  if (review === undefined) return t('active');
  if (review.streams.length === 0) return t('no stream changed');
  return review.streamCount === 1
    ? t('1 stream replicating')
    : t('{0} streams replicating', review.streamCount);
}

/** The maximum number of losses, so that they can be read at a glance. */
const mostLosses = 6;

/** Returns the columns and rows that clients lose by the deploy. */
function lossesOf(review: ReviewResult | undefined): readonly string[] {
  const streams = review?.streams.filter(({ change }) => change === 'gone') ?? [];
  const losses = [
    ...streams.map(({ name }) => t('the stream {0}', name)),
    ...(review?.dropped ?? []).map(({ table, column }) =>
      column === undefined ? t('the table {0}', table) : t('the column {0} of {1}', column, table),
    ),
  ];
  if (losses.length === 0) return [];
  const more = losses.length - mostLosses;
  const named = [...losses.slice(0, mostLosses), ...(more > 0 ? [t('{0} more', more)] : [])];
  return [t('Clients no longer have {0}.', named.join(', '))];
}

/** Explains a refusal. Some refusals have a better sentence here than the service sends. */
export function explainFailure({ message, facts }: ApiFailure): string {
  switch (facts.code) {
    case 'S4105':
      return t(
        'The sync config is part of the service config, so the service accepts no deploys: {0}',
        facts.details ?? message,
      );
    case 'S4106':
      return t('A deployment is being copied there. Wait until it is active.');
    case 'S4104':
      return t('No config is active there yet, so there is nothing to copy again.');
    default:
      return message;
  }
}
