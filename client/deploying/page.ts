/**
 * The page that asks before a deploy: what blocks it, and what it changes, stream by stream. The editor and the command line lay out
 * the same page. A fact that is not known says so.
 */
import type { ReviewResult } from '../../server/protocol.ts';
import type { AffectedStream, AffectedUser, AffectedUsers } from '../api/affectedUsers.ts';
import type { PlannedTable } from '../api/plan.ts';
import { titleOf } from '../api/users.ts';
import { t } from '../l10n.ts';
import type { Question } from './flow.ts';
import { limitLines } from './limits.ts';
import { planOf, problemsOf, sentenceOfAccess, warningsOf, wordsOfChange } from './reviewWords.ts';

export interface DeployPage {
  /** The problems that block parts of the config. If there are any, deploying is not the default answer. */
  readonly blocks: readonly string[];
  /** Sentences about the deploy that the user should read first. */
  readonly notes: readonly string[];
  readonly sections: readonly PageSection[];
  /** Whether anything would be different after the deploy, or blocks it. */
  readonly hasDifferences: boolean;
}

interface PageSection {
  readonly title: string;
  readonly facts: readonly PageFact[];
}

interface PageFact {
  readonly label: string;
  readonly lines: readonly string[];
}

type Stream = ReviewResult['streams'][number];

/** The maximum number of streams with their own section, so that the page can be read. */
const mostSections = 40;

export function pageOf(question: Question): DeployPage {
  const { review, source, changedElsewhere, replacesPending } = question;
  const blocks = problemsOf(source);
  const streams = review?.streams ?? [];
  const shown = streams.slice(0, mostSections);
  const others = streams.slice(mostSections);
  return {
    blocks,
    notes: [
      ...(changedElsewhere ? [t('Someone else has deployed to this service since your last deploy.')] : []),
      ...(replacesPending ? [t('The copy in progress will be dropped.')] : []),
      ...(source.missing === undefined
        ? [t('Whether all tables and columns exist is unknown: the service does not report its tables.')]
        : []),
      ...(review === undefined
        ? [t('The changes are unknown, because the language server is not running.')]
        : []),
      ...(review !== undefined && streams.length === 0 ? [t('No streams are changed.')] : []),
    ],
    sections: [
      ...shown.map((stream) => sectionOf(stream, question)),
      ...(others.length > 0
        ? [
            {
              title: t('Other streams: {0}', others.length),
              facts: others.map(({ name, change }) => ({ label: name, lines: [wordsOfChange(change)] })),
            },
          ]
        : []),
      wholeOf(question),
    ],
    hasDifferences:
      review === undefined ||
      streams.length > 0 ||
      blocks.length > 0 ||
      (review.access?.changes.length ?? 0) > 0,
  };
}

/** Lays out a page as plain text. */
export function pageLines({ blocks, notes, sections }: DeployPage): readonly string[] {
  return [
    ...(blocks.length > 0 ? [t('Blocks this deploy:'), ...blocks.map((line) => `  ${line}`)] : []),
    ...notes,
    ...sections.flatMap(({ title, facts }) => {
      const width = Math.max(0, ...facts.map(({ label }) => label.length));
      return [
        '',
        title,
        ...facts.flatMap(({ label, lines }) =>
          lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(width)}  ${line}`),
        ),
      ];
    }),
  ];
}

function sectionOf(stream: Stream, question: Question): PageSection {
  const { name, change, columns } = stream;
  const planned = question.plan?.streams.find((each) => each.name === name);
  const fact = (label: string, lines: readonly string[]): readonly PageFact[] =>
    lines.length === 0 ? [] : [{ label, lines }];
  return {
    title: `${name}: ${wordsOfChange(change)}`,
    facts: [
      ...fact(t('Columns lost'), columnWords(columns?.lost, columns?.unknown)),
      ...fact(t('Columns gained'), columnWords(columns?.gained, columns?.unknown)),
      ...fact(t('Who gains'), usersOf('gained', stream, question)),
      ...fact(t('Who loses'), usersOf('lost', stream, question)),
      ...fact(t('Rows to copy'), [rowsOf(stream, question.plan)]),
      ...fact(t('Clients download'), [
        planned === undefined
          ? t('unknown')
          : planned.downloaded
            ? t('all rows of this stream')
            : t('nothing again'),
      ]),
    ],
  };
}

function columnWords(
  names: NonNullable<Stream['columns']>['lost'] | undefined,
  unknown: readonly string[] = [],
): readonly string[] {
  if (names === undefined) return [];
  const known = names.map(({ table, column }) =>
    column === undefined ? t('the table {0}', table) : t('{0} of {1}', column, table),
  );
  const lines = known.length === 0 ? [] : [known.join(', ')];
  if (unknown.length > 0)
    return [
      ...lines,
      t('unknown for {0}: all columns are read, and its columns are not known', unknown.join(', ')),
    ];
  return lines.length === 0 ? [t('none')] : lines;
}

/** The maximum number of users in one list, so that they can be read at a glance. */
const mostUsers = 5;

function usersOf(kind: AffectedUser['kind'], stream: Stream, question: Question): readonly string[] {
  const { affected, review } = question;
  const found = affected?.streams.find(({ name }) => name === stream.name);
  const possible = (review?.access?.changes ?? []).filter(
    (change) => change.kind === kind && change.stream === stream.name,
  );
  // Nothing was served before, so nobody can lose anything.
  if (affected?.unknown === 'nothing_active' || !question.hasDeployed)
    return kind === 'lost' ? [t('nobody')] : [t('all users of the stream')];
  if (found === undefined || affected?.unknown !== undefined)
    return [t('unknown: {0}', whyUnknown(affected)), ...possible.map(exampleOf)];
  const changes = found.changes.filter((change) => change.kind === kind);
  const listed = [
    ...changes.slice(0, mostUsers).map(sentenceOfUser),
    ...(changes.length > mostUsers || found.more > 0
      ? [t('and {0} more', Math.max(0, changes.length - mostUsers) + found.more)]
      : []),
  ];
  const gaps = found.unknown.map(gapLine);
  const none = gaps.length > 0 ? [] : [t('none of the known users ({0})', affected?.users ?? 0)];
  // The page names columns elsewhere, so an example of a column would contradict that nobody gains a row.
  const possibleRows = isProven(review) ? [] : possible.filter(({ columns }) => columns === undefined);
  const lines = listed.length > 0 ? listed : [...none, ...possibleRows.map(exampleOf)];
  return [...lines, ...gaps];
}

function exampleOf(change: NonNullable<ReviewResult['access']>['changes'][number]): string {
  return t('For example: {0}', sentenceOfAccess(change));
}

function isProven(review: Question['review']): boolean {
  return review?.access?.isExhausted === true && review.access.changes.length === 0;
}

function sentenceOfUser({ kind, table, user, rows, example, holder }: AffectedUser): string {
  const [who, count] = [titleOf(user), rows.toLocaleString('en')];
  if (kind === 'lost') return t('{0} loses rows of {1}: {2} (such as {3})', who, table, count, example);
  return holder === undefined
    ? t('{0} gains rows of {1}: {2} (such as {3})', who, table, count, example)
    : t(
        '{0} gains rows of {1}: {2} (such as {3}, which {4} has)',
        who,
        table,
        count,
        example,
        titleOf(holder),
      );
}

function whyUnknown(affected: AffectedUsers | undefined): string {
  switch (affected?.unknown) {
    case 'no_queries':
      return t('the service must not read rows (debug_api)');
    case 'no_users':
      return t('no users are known');
    case 'source':
      return t('the rows of the database could not be read');
    default:
      return t('the service does not report it');
  }
}

function gapLine({ reason, of }: AffectedStream['unknown'][number]): string {
  switch (reason) {
    case 'rows':
      return t('unknown: {0} has too many rows to compare them', of.join(', '));
    case 'values':
      return t('unknown for users who are not connected: it depends on {0}', of.join(', '));
    case 'users':
      return t('unknown for other users: there are too many');
    case 'other':
      return t('the rest is unknown');
  }
}

function rowsOf({ tables, change }: Stream, plan: Question['plan']): string {
  if (plan === undefined) return t('unknown');
  if (plan.outcome !== 'copy' || change === 'gone') return t('none');
  const read = plan.tables.filter(({ name, schema }) =>
    tables.some((each) => each === name || each === `${schema}.${name}`),
  );
  // A pattern may match any of the tables.
  const isComplete = read.length === tables.length;
  const sum = sumOfRows(read);
  if (!isComplete || sum === undefined) return t('unknown ({0})', tables.join(', '));
  return tables.length === 0
    ? t('no rows in addition')
    : t('about {0} ({1})', sum.toLocaleString('en'), tables.join(', '));
}

/** Returns undefined if the number of rows of one of the tables is unknown. */
function sumOfRows(tables: readonly Pick<PlannedTable, 'rows'>[]): number | undefined {
  return tables.reduce<number | undefined>(
    (sum, { rows }) => (sum === undefined || rows === undefined ? undefined : sum + rows),
    0,
  );
}

function wholeOf({ plan, rate, forecast, review }: Question): PageSection {
  const limits = forecast === undefined ? [] : limitLines(forecast);
  const access = review?.access;
  const proof =
    access === undefined || access.changes.length > 0
      ? []
      : [
          access.isExhausted
            ? t('Proven: no user gains or loses a row or a column.')
            : t(
                'No user was found who gains or loses a row, but that is not proven because of {0}.',
                access.limits.join(', '),
              ),
        ];
  const other =
    review?.access?.changes.filter(({ stream }) => !review.streams.some(({ name }) => name === stream)) ?? [];
  const facts: readonly PageFact[] = [
    { label: t('Rows to copy'), lines: plan === undefined ? [t('unknown')] : planOf(plan) },
    { label: t('Time'), lines: [timeOf(plan, rate)] },
    { label: t('Access'), lines: [...proof, ...other.map(sentenceOfAccess)] },
    { label: t('Limits'), lines: limits.map((line) => line.trim()) },
    {
      label: t('Warnings'),
      lines: review !== undefined && review.warnings > 0 ? [warningsOf(review.warnings)] : [],
    },
  ];
  return { title: t('The whole deploy'), facts: facts.filter(({ lines }) => lines.length > 0) };
}

function timeOf(plan: Question['plan'], rate: number | undefined): string {
  switch (plan?.outcome) {
    case 'nothing':
    case 'at_once':
      return t('active at once');
    case 'under_way':
      return t('until the copy in progress is complete');
    default: {
      const rows = plan && sumOfRows(plan.tables);
      if (rate === undefined || rows === undefined) return t('unknown until the copy has begun');
      return t(
        'at least {0} s, with at most {1} rows per second',
        Math.ceil(rows / rate).toLocaleString('en'),
        rate.toLocaleString('en'),
      );
    }
  }
}
