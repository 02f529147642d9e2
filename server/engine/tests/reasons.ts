/** Explains why a user has a row or does not have it, from the traces of the evaluation. */
import { absenceText } from '../../shared/absenceWords.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import { toSqlRow } from '../plan/values/source.ts';
import { absencesOf } from '../reasons/absence.ts';
import { syncRequestOf } from './device.ts';
import type { FailureReason, TestMoment } from './outcomes.ts';
import { answerFrom, type TestedRow } from './rowIndex.ts';
import type { TestSubject } from './subject.ts';

/** The devices and rows at one step of a test. */
type Having = Omit<TestMoment, 'test' | 'user'>;

/** The maximum number of reasons. A longer list would not be read. */
const mostReasons = 5;

export function whyPresent(table: string, id: string, situation: Having): readonly FailureReason[] {
  const { subject, database, device } = situation;
  const given = new Set(device.tables.get(table)?.get(id)?.buckets ?? []);
  const { routes } = requestOf(situation);
  const reasons = database.rows
    .filter((row) => subject.feeds(row.table, table))
    .flatMap((row) => rulesOf(row, subject))
    .flatMap((rule) => {
      const bucket = rule.rows.find(
        (each) => each.id === id && each.table === table && given.has(each.bucket),
      );
      if (bucket === undefined) return [];
      const conditions = rule.combinations
        .flatMap((each) => each.conditions)
        .map(({ at }) => sqlAt(rule, at, subject));
      const ways = routes.filter(
        (route) => route.reason.stream === rule.stream && route.buckets.includes(bucket.bucket),
      );
      const compared = ways.flatMap(({ conditions: of }) => of.map(({ at }) => sqlAt(rule, at, subject)));
      const held = [...new Set([...conditions, ...compared])];
      const how =
        held.length === 0
          ? ''
          : ` ${held.map((sql) => `\`${sql}\``).join(' and ')} ${held.length === 1 ? 'holds' : 'hold'}.`;
      const who =
        bucket.bucket.endsWith('[]') && compared.length === 0
          ? ' The query does not compare the row with the user.'
          : ` The row is in the bucket ${bucket.bucket}, which the user gets.`;
      return [
        {
          text: `The stream ${rule.stream} sends this row.${how}${who}`,
          span: subject.placeOf(rule.stream, rule.at).span,
        },
      ];
    });
  return reasons.slice(0, mostReasons);
}

export function whyAbsent(
  table: string,
  id: string,
  user: string,
  situation: Having,
): readonly FailureReason[] {
  const { subject, database } = situation;
  const sources = database.rows.filter((row) => subject.idsOf(row.table, row.values, table).includes(id));
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
    .flatMap((row) => absencesOf(subject.config, rulesOf(row, subject), request))
    .slice(0, mostReasons)
    .map((absence) => {
      const marked = absence.marks.map(({ sql }) => `\`${sql}\``).join(' and ');
      return {
        text: `${absenceText(absence, user)}${marked === '' ? '' : ` See ${marked}.`}`,
        span: absence.marks[0],
      };
    });
}

function requestOf({ subject, database, asking }: Having) {
  return answerFrom(database, subject.tracer().request(syncRequestOf(asking)));
}

function rulesOf({ table, values }: TestedRow, subject: TestSubject): readonly RuleTrace[] {
  const { options } = subject.config.surroundings;
  return subject.tracer().row(subject.tableNamed(table), toSqlRow(values, options));
}

function sqlAt({ stream }: RuleTrace, at: Origin, subject: TestSubject): string {
  return subject.placeOf(stream, at).sql;
}
