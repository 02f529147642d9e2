/**
 * Compiles streams of edition 3 to plans. Reports all problems in their SQL; there is no plan if there is an error.
 *
 * The stages of a query: its FROM is opened (`select.ts`), its conditions become a tree of terms (`conditions.ts`), the tree
 * becomes branches of filters and matches (`branches.ts`), each branch becomes rows with keys and a route to them (`route.ts`), and
 * the branches of all queries become bucket sources (`sources.ts`).
 */
import type { ConfigSurroundings, Cte, Reporter, SqlText, StreamDefinition } from '../../model/definition.ts';
import { clientChoiceOf } from '../../risk/choice.ts';
import type { Select } from '../../sql/ast.ts';
import { type Lookups, lookupTable } from '../lookups.ts';
import type { Lookup, StreamPlan } from '../plan.ts';
import { indexTables } from '../tablePatterns.ts';
import { type Branch, branchesOf, countBranches, type PlanStyle } from './branches.ts';
import {
  type Compilation,
  type CteFinding,
  isGlobal,
  type NameResolution,
  originOf,
  ownText,
  type ResolvedSelect,
} from './compilation.ts';
import { conditionOf, groupOf } from './conditions.ts';
import { allBut, type FindCte, finderOf } from './ctes.ts';
import { checkLinks } from './links.ts';
import { type Output, outputOf } from './output.ts';
import type { CompiledText } from './relations.ts';
import { planBranch } from './route.ts';
import { namedColumns, type OpenSelect, openSelect, selectOf } from './select.ts';
import { buildSources, countKinds, groupByRoute, type QueryBranch } from './sources.ts';
import { translate } from './translate.ts';

export type { BranchLink } from './branches.ts';
export type { CteFinding, NameResolution } from './compilation.ts';
export { columnFinderOf, columnsOfTable, type FindColumn, knownColumn } from './knownColumns.ts';
export type { Dependency, QueryRelation, SubqueryRelation } from './relations.ts';

/** A compiled query of a stream. */
export interface CompiledQuery {
  /** The index of the text. */
  readonly text: number;
  readonly select: Select;
  readonly output: Output;
  /** Absent without output, and for a condition that is too complex. Incomplete after problems. */
  readonly branches?: readonly Branch[];
}

/**
 * The plan of a stream, with more data for rules and editor features. `selects` contains the names that can be used in each place,
 * `resolutions` contains what each written name refers to, and the branches of a query contain what each condition depends on
 * (`side.of`: nothing, the request, a table instance or a table function).
 */
export interface CompiledStream {
  /** Absent after an error, including syntax errors. */
  readonly plan?: StreamPlan;
  /** The texts that the plan's origins refer to by index: first the stream's own texts, then those of global CTEs. */
  readonly texts: readonly SqlText[];
  readonly queries: readonly CompiledQuery[];
  /** Every SELECT in the texts of this stream, outermost first, with its scope. */
  readonly selects: readonly ResolvedSelect[];
  /** Every resolved name in the texts of this stream. */
  readonly resolutions: readonly NameResolution[];
  readonly usedGlobalCtes: ReadonlySet<Cte>;
  /** Findings in the texts of global CTEs that appear only when the CTEs are used. They are not part of the stream. */
  readonly inGlobalCtes: readonly CteFinding[];
}

/** The names and scopes of a CTE. Its conditions are checked where it is used. */
export type CheckedCte = Pick<CompiledStream, 'texts' | 'selects' | 'resolutions'>;

const mostBranches = 100;
const mostKinds = 100;

export function compileStream(
  stream: StreamDefinition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
  style: PlanStyle = 'own',
): CompiledStream {
  const findCte = finderOf(surroundings.ctes, stream.ctes);
  const c = openCompilation(surroundings, reporter);
  for (const cte of stream.ctes) checkText(c, cte, findCte);
  const lookups = lookupTable();
  const branches: QueryBranch[] = [];
  let failed = c.failed;
  const queries = stream.queries.flatMap((source) => {
    c.failed = false;
    const query = compileQuery(c, ownText(c, source, { findCte }), style, lookups, branches);
    failed ||= c.failed;
    return query ? [query] : [];
  });
  for (const cte of stream.ctes) {
    if (!c.usedCtes.has(cte)) reporter.atPart('unused-cte', cte.nameSpan, { name: cte.name });
  }
  const plan = planStream(c, stream, branches, lookups.all);
  return {
    ...(plan && !failed && { plan }),
    texts: c.texts.map(({ source }) => source),
    queries,
    selects: c.selects,
    resolutions: c.resolutions,
    inGlobalCtes: c.inGlobalCtes,
    usedGlobalCtes: new Set([...c.usedCtes].filter((cte) => isGlobal(c, cte))),
  };
}

/** Checks a global CTE. Problems that appear only in its uses are reported together with the stream that uses it. */
export function checkCte(cte: Cte, surroundings: ConfigSurroundings, reporter: Reporter): CheckedCte {
  const c = openCompilation(surroundings, reporter);
  checkText(c, cte, finderOf(surroundings.ctes));
  return { texts: c.texts.map(({ source }) => source), selects: c.selects, resolutions: c.resolutions };
}

function openCompilation(surroundings: ConfigSurroundings, reporter: Reporter): Compilation {
  const { catalog } = surroundings;
  return {
    surroundings,
    reporter,
    texts: [],
    usedCtes: new Set(),
    inGlobalCtes: [],
    textOfCte: new Map(),
    resolutions: [],
    selects: [],
    withoutFrom: new Set(),
    knownTables: catalog && indexTables(catalog),
    translate,
    nextId: 0,
    failed: false,
  };
}

/** Reports all problems of a CTE that do not depend on how it is used. */
function checkText(c: Compilation, cte: Cte, findCte: FindCte): void {
  const { name, nameSpan, query } = cte;
  if (c.knownTables?.get(c.surroundings.defaultSchema)?.has(name)) {
    c.reporter.atPart('cte-shadows-table', nameSpan, { name });
  }
  const select = openTop(c, ownText(c, query, { findOutOfReach: allBut(findCte, cte) }));
  if (!select) return;
  namedColumns(select);
  for (const { place, expr } of select.restrictions) conditionOf(place, expr, false);
}

/** Opens the query of a text, which is its first statement. The reference ignores all others. */
function openTop(c: Compilation, text: CompiledText): OpenSelect | undefined {
  const [statement] = text.source.sql.statements;
  const select = statement && selectOf(text, statement);
  if (!select) c.failed = true;
  return select && openSelect({ c, text }, select);
}

function compileQuery(
  c: Compilation,
  text: CompiledText,
  style: PlanStyle,
  lookups: Lookups,
  planned: QueryBranch[],
): CompiledQuery | undefined {
  const open = openTop(c, text);
  if (!open) return undefined;
  const condition = groupOf(
    'all',
    open.restrictions.map(({ place, expr }) => conditionOf(place, expr, false)),
  );
  const output = outputOf(open);
  const query = { text: text.index, select: open.select, output };
  if (!output.table && !c.failed) return query;
  const cases = condition ? countBranches(condition) : 1;
  if (cases > mostBranches) {
    text.report('filter-too-complex', conditionSpan(open), { cases });
    return query;
  }
  const branches = condition ? branchesOf(condition, output.table, style) : [{ links: [], weight: 1 }];
  planQuery(c, text, { ...query, branches }, style, lookups, planned);
  return { ...query, branches };
}

function conditionSpan({ select, restrictions }: OpenSelect): Select['span'] {
  return select.where?.span ?? restrictions[0]?.expr.span ?? select.span;
}

function planQuery(
  c: Compilation,
  text: CompiledText,
  { output: { table, columns }, branches = [], select }: CompiledQuery,
  style: PlanStyle,
  lookups: Lookups,
  planned: QueryBranch[],
): void {
  if (c.failed || !table) return;
  for (const branch of branches) checkLinks(branch, table);
  if (c.failed) return;
  const { alias, name } = table.syntax;
  const outputTable = alias?.name.text ?? (table.pattern.name.wildcard ? undefined : name.text);
  for (const branch of branches) {
    planned.push({
      number: planned.length,
      plan: planBranch(branch, table, lookups.add, style),
      columns,
      ...(outputTable !== undefined && { outputTable }),
      at: originOf(text, select.span),
      weight: branch.weight,
    });
  }
}

/** Returns undefined after a problem. */
function planStream(
  c: Compilation,
  stream: StreamDefinition,
  branches: readonly QueryBranch[],
  lookups: readonly Lookup[],
): StreamPlan | undefined {
  const groups = groupByRoute(branches, lookups);
  const count = countKinds(groups);
  const [first] = stream.queries;
  if (first && count > mostKinds) {
    const end = first.sql.text.trimEnd().length;
    c.reporter.inSql(first)('too-many-buckets', { start: 0, end }, { count });
    return undefined;
  }
  const { sources, routes } = buildSources(groups);
  if (!stream.acceptDangerous) {
    for (const route of routes) reportDanger(c, route);
  }
  const { name, autoSubscribe: isDefault, priority } = stream;
  return { name, isDefault, priority, sources, lookups, routes };
}

function reportDanger(c: Compilation, route: StreamPlan['routes'][number]): void {
  const choice = clientChoiceOf(route);
  const text = choice && c.texts[choice.at.text];
  if (!choice || !text) return;
  const { span } = choice.at;
  const parameter = text.source.sql.text.slice(span.start, span.end);
  text.reportUse('unauthenticated-parameter', span, { parameter });
}
