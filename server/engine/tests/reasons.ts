/** Explains why a user has a row or does not have it, from the traces of the evaluation. */
import { absenceText } from '../../shared/absenceWords.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import { toSqlRow } from '../plan/values/source.ts';
import { absencesOf, presencesOf } from '../reasons/absence.ts';
import { syncRequestOf } from './device.ts';
import type { FailureReason, TestMoment } from './outcomes.ts';
import { answerFrom, type TestedRow } from './rowIndex.ts';

/** The devices and rows at one step of a test. */
type Having = Omit<TestMoment, 'test' | 'user'>;

/** The maximum number of reasons. A longer list would not be read. */
const mostReasons = 5;

export function whyPresent(table: string, id: string, situation: Having): readonly FailureReason[] {
  const request = requestOf(situation);
  return sourcesOf(table, id, situation)
    .flatMap((row) => presencesOf(situation.subject.config, rulesOf(row, situation), request))
    .slice(0, mostReasons)
    .map(({ stream, bucket, conditions, query }) => {
      // The name of the bucket shows the comparisons with the user's own values.
      const shown = conditions.filter(({ kind, table: of }) => kind !== 'comparison' || of !== undefined);
      const met = shown.flatMap(({ kind, marks }) => (kind === 'subscription' ? [] : marks));
      const how = met.length === 0 ? '' : ` ${listOf(met)} ${met.length === 1 ? 'holds' : 'hold'}.`;
      const isCompared = conditions.some(({ kind }) => kind === 'comparison');
      const who = isCompared
        ? `The row is in the bucket ${bucket}, which the user gets.`
        : 'The query does not compare the row with the user.';
      return { text: `The stream ${stream} sends this row.${how} ${who}`, span: query };
    });
}

export function whyAbsent(
  table: string,
  id: string,
  user: string,
  situation: Having,
): readonly FailureReason[] {
  const { subject, database } = situation;
  const sources = sourcesOf(table, id, situation);
  if (sources.length === 0) {
    const isThere = database.rows.some((row) => row.id === id && row.table === table);
    return [
      {
        text: isThere ? `No stream syncs rows of ${table}.` : `The test has no row ${id} in ${table}.`,
      },
    ];
  }
  const request = requestOf(situation);
  return sources
    .flatMap((row) => absencesOf(subject.config, rulesOf(row, situation), request))
    .slice(0, mostReasons)
    .map((absence) => {
      const { marks } = absence;
      const where = marks.length === 0 ? '' : ` See ${listOf(marks)}.`;
      return { text: `${absenceText(absence, user)}${where}`, span: marks[0] };
    });
}

/** Returns the rows of the source that can become the row of a client. */
function sourcesOf(table: string, id: string, { subject, database }: Having): readonly TestedRow[] {
  return database.rows.filter((row) => subject.idsOf(row.table, row.values, table).includes(id));
}

function requestOf({ subject, database, asking }: Having) {
  return answerFrom(database, subject.tracer().request(syncRequestOf(asking)));
}

function rulesOf({ table, values }: TestedRow, { subject }: Having): readonly RuleTrace[] {
  const { options } = subject.config.surroundings;
  return subject.tracer().row(subject.tableNamed(table), toSqlRow(values, options));
}

function listOf(marks: readonly { readonly sql: string }[]): string {
  return marks.map(({ sql }) => `\`${sql}\``).join(' and ');
}
