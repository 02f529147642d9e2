/** Compiles streams of edition 2, the preview of those of edition 3, to plans. Reports all problems in their SQL. */
import type { ConfigSurroundings, Reporter, SqlText, StreamDefinition } from '../../../model/definition.ts';
import { clientChoiceOf } from '../../../risk/choice.ts';
import type { Select } from '../../../sql/ast.ts';
import { contains, type Expression } from '../../expression.ts';
import type { StreamPlan } from '../../plan.ts';
import { checkId, readColumns } from '../columns.ts';
import { type Conjunction, fewBranches, only } from '../conditions/condition.ts';
import { isOfRow } from '../conditions/merging.ts';
import { watchErrors } from '../errors.ts';
import { type QueryPlace, wholeQuery } from '../place.ts';
import { openReadingScope, type ReadingScope } from '../scope.ts';
import { readSelect } from '../statement.ts';
import { openQueryTable } from '../table.ts';
import { type ConditionRules, readCondition } from './streamCondition.ts';
import { planStream, type StreamQuery } from './streamPlan.ts';
import { onlyTable, readMembership, streamNames } from './subquery.ts';

interface CompiledAlphaStream {
  /** Absent after an error. */
  readonly plan?: StreamPlan;
  readonly texts: readonly SqlText[];
  /** The query, if it can be read. */
  readonly queries: readonly StreamQuery[];
}

/** Compiles a stream. Edition 1 has no streams: the reader reports that, and nothing else is reported about them. */
export function compileAlphaStream(
  stream: StreamDefinition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
): CompiledAlphaStream {
  const { queries: texts, priority, prioritySpan } = stream;
  if (surroundings.options.edition === 1) return { texts, queries: [] };
  const watched = watchErrors(reporter, texts);
  if (prioritySpan && priority !== 3) watched.atPart('priority-ignored', prioritySpan, {});
  const queries = texts.flatMap(
    (source, text) => readQuery(stream, { surroundings, source, text, report: watched.inSql(source) }) ?? [],
  );
  const plan = watched.failed() ? undefined : planStream(stream, queries);
  if (plan && !stream.acceptDangerous) reportDanger(plan, texts, watched);
  return { ...(plan && { plan }), texts, queries };
}

/** Reports dangerous queries. Before edition 3, the service does not report them. */
function reportDanger({ routes }: StreamPlan, texts: readonly SqlText[], { inSql }: Reporter): void {
  for (const { at } of routes.flatMap((route) => clientChoiceOf(route) ?? [])) {
    const source = texts[at.text];
    const parameter = source?.sql.text.slice(at.span.start, at.span.end) ?? '';
    if (source) inSql(source)('unauthenticated-parameter', at.span, { parameter });
  }
}

function readQuery(stream: StreamDefinition, place: QueryPlace): StreamQuery | undefined {
  const { source, text, report } = place;
  const select = readSelect(source, report);
  const item = select && onlyTable(place, select);
  if (!item) return undefined;
  const table = openQueryTable(place, item);
  const scope = openReadingScope(place, streamNames(table));
  const branches = readWhere(scope, select);
  const columns = readColumns(scope, select);
  checkId(scope, select);
  if (branches && table.pattern.name.wildcard && branches.some(dependsOnRow)) {
    report('wildcard-filter', item.nameSpan, {});
  }
  if (stream.autoSubscribe && branches?.some(asksSubscription)) {
    report('default-stream-with-subscription-parameter', wholeQuery(place), {});
  }
  return { text, select, table, ...(branches && { branches }), ...(columns && { columns }) };
}

const streamRules: ConditionRules = {
  negatedMatch: 'negated-match',
  readMember: readMembership,
  accept: () => true,
};

function readWhere(scope: ReadingScope, { where }: Select): readonly Conjunction[] | undefined {
  if (!where) return [only({})];
  const condition = readCondition(scope, streamRules, where);
  return condition && fewBranches(scope.report, where.span, condition);
}

function dependsOnRow({ row, comparisons, memberships }: Conjunction): boolean {
  const values = [
    ...row,
    ...comparisons.map((comparison) => comparison.row),
    ...memberships.map(({ value }) => value),
  ];
  return values.some((value) => contains(value, isOfRow));
}

function asksSubscription({ request, comparisons, memberships }: Conjunction): boolean {
  const values: Expression[] = [...request];
  for (const comparison of comparisons) {
    if (comparison.kind === 'in request' || comparison.kind === 'overlap') values.push(comparison.array);
    else if (comparison.parameter.kind === 'request') values.push(comparison.parameter.value);
  }
  return (
    values.some((value) =>
      contains(value, (node) => node.kind === 'request' && node.part === 'subscription'),
    ) ||
    memberships.some(({ rows, value }) =>
      asksSubscription({ ...rows.where, request: [...rows.where.request, value] }),
    )
  );
}
