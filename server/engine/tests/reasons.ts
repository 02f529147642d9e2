/** Explains why a user has a row or does not have it, from the traces of the evaluation. */
import { closestWay } from '../plan/evaluate/closestWay.ts';
import { readingsAgainst } from '../plan/evaluate/observations.ts';
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import { toSqlRow } from '../plan/values/source.ts';
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
  const routes = routesOf(situation);
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
  const routes = routesOf(situation);
  const reasons = sources
    .flatMap((row) => rulesOf(row, subject))
    .filter(({ side }) => side === 'bucket')
    .map((rule) => absentBy(rule, user, routes, subject));
  return reasons.slice(0, mostReasons);
}

type Routes = ReturnType<typeof routesOf>;

function routesOf({ subject, database, asking }: Having) {
  return answerFrom(database, subject.tracer().request(syncRequestOf(asking))).routes;
}

function rulesOf({ table, values }: TestedRow, subject: TestSubject): readonly RuleTrace[] {
  const { options } = subject.config.surroundings;
  return subject.tracer().row(subject.tableNamed(table), toSqlRow(values, options));
}

function sqlAt({ stream }: RuleTrace, at: Origin, subject: TestSubject): string {
  return subject.placeOf(stream, at).sql;
}

function absentBy(rule: RuleTrace, user: string, routes: Routes, subject: TestSubject): FailureReason {
  const { stream, outcome, mismatch, at } = rule;
  const decisive = subject.placeOf(stream, mismatch ?? at);
  const by = (text: string, span = decisive.span): FailureReason => ({ text: `${stream}: ${text}`, span });
  switch (outcome) {
    case 'filtered':
      return by(
        `\`${decisive.sql}\` does not hold${readingsAgainst(rule.combinations[0]?.conditions ?? [])}.`,
      );
    case 'no element':
      return by('the table function of this query returns no element for the row.');
    case 'no key':
      return by(`\`${decisive.sql}\` is NULL, so the row is in no bucket.`);
    case 'failed':
      return by(`the query fails with ${rule.failure?.code} at \`${decisive.sql}\`.`);
    case 'given':
      break;
  }
  const own = routes.filter(({ reason }) => reason.stream === stream);
  if (own.length === 0)
    return by('the stream requires a subscription, and the test does not subscribe to it.');
  const plan = subject.plans.find(({ name }) => name === stream);
  const against = plan && closestWay(plan, rule, routes)?.trace;
  const buckets = rule.rows.map(({ bucket }) => bucket).join(', ');
  if (against?.mismatch === undefined) {
    const has = own.flatMap((route) => route.buckets);
    return by(
      `the row is in ${buckets}, but ${user} gets ${has.length === 0 ? 'no bucket' : has.join(', ')}.`,
    );
  }
  const { sql, span } = subject.placeOf(stream, against.mismatch);
  const words = {
    filtered: `\`${sql}\` does not hold for ${user}${readingsAgainst(against.conditions)}`,
    'nothing found': `\`${sql}\` finds nothing for ${user}${isFound(against) ? ' that also meets the other conditions' : ''}`,
    'no key': `\`${sql}\` has no value for ${user}${lackOf(against)}`,
    'no common value': `\`${sql}\` and the other conditions on the same value never hold together for ${user}`,
    failed: `\`${sql}\` fails for ${user}`,
    given: '',
  };
  return by(`${words[against.outcome]}. The row is in ${buckets}.`, span);
}

function isFound({ steps }: Routes[number]): boolean {
  return steps.some(({ left, found }) => left === 0 && found.length > 0);
}

/** Returns a text such as `: the subscription has no room`. */
function lackOf({ missing }: Routes[number]): string {
  if (missing === undefined || missing.path.length === 0) return '';
  const whose = { auth: 'token', connection: 'connection', subscription: 'subscription' }[missing.part];
  return `: the ${whose} has no \`${missing.path.join('.')}\``;
}
