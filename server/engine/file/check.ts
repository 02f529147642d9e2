/** Runs the checks of compiled definitions wherever there are no errors. */
import type { ConfigCheck, PlanSubject, SelectRole, SelectSubject } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import { type Report, severityOf } from '../diagnostics/diagnostics.ts';
import type {
  ConfigSurroundings,
  Cte,
  Definition,
  Reporter,
  SqlText,
  StreamDefinition,
} from '../model/definition.ts';
import type { CompiledBefore3 } from '../plan/before3/before3.ts';
import {
  type CheckedCte,
  type CompiledStream,
  type CteFinding,
  columnFinderOf,
  columnsOfTable,
  type FindColumn,
} from '../plan/compile/compile.ts';
import type { Origin } from '../plan/expression.ts';
import type { Select } from '../sql/ast.ts';
import { expressionsIn } from '../sql/walk.ts';

const selectChecks = checksOf('checkSelect');
const expressionChecks = checksOf('checkExpression');
const streamChecks = checksOf('checkStream');
const planChecks = checksOf('checkPlan');

function checksOf<K extends Exclude<keyof ConfigCheck, 'code' | 'usesCatalog'>>(
  kind: K,
): NonNullable<ConfigCheck[K]>[] {
  return checks.flatMap((check) => check[kind] ?? []);
}

/** A reporter that remembers which texts have errors. */
export interface WatchedReporter extends Reporter {
  readonly isBroken: (text: SqlText) => boolean;
}

export function watchTexts({ atPart, inSql }: Reporter): WatchedReporter {
  const broken = new Set<SqlText>();
  return {
    atPart,
    inSql: (text) => {
      const report = inSql(text);
      return (code, at, args) => {
        if (severityOf(code) === 'error') broken.add(text);
        report(code, at, args);
      };
    },
    isBroken: (text) => text.sql.problems.length > 0 || broken.has(text),
  };
}

/** Checks a stream of edition 3. Returns the findings in the texts of global CTEs. */
export function checkStream(
  stream: StreamDefinition,
  compiled: CompiledStream,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
): readonly CteFinding[] {
  const { queries, texts, plan, usedGlobalCtes } = compiled;
  const synced = new Set(queries.map(({ select }) => select));
  checkSelects(compiled, surroundings, reporter, (select) => (synced.has(select) ? 'synced' : 'inner'));
  if (!plan || texts.some(reporter.isBroken)) return [];
  const found: CteFinding[] = [];
  const report: Report<Origin> = (code, { text, span }, args) => {
    const source = texts[text];
    if (!source) return;
    const cte = cteOf(source, usedGlobalCtes);
    if (cte) found.push({ cte, finding: { code, span, args: args as object } });
    else reporter.inSql(source)(code, span, args);
  };
  const acceptsRisk = stream.acceptDangerous;
  const subject = { ...worldOf(surroundings), plan, texts, acceptsRisk, report };
  for (const check of streamChecks) check({ ...subject, stream, compiled });
  for (const check of planChecks) check(subject);
  return found;
}

function cteOf(source: SqlText, ctes: ReadonlySet<Cte>): Cte | undefined {
  for (const cte of ctes) if (cte.query === source) return cte;
  return undefined;
}

/** Checks a CTE of the entire file. */
export function checkGlobalCte(
  cte: CheckedCte,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
): void {
  checkSelects(cte, surroundings, reporter, () => 'inner');
}

function checkSelects(
  { texts, selects, resolutions }: CheckedCte,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
  roleOf: (select: Select) => SelectRole,
): void {
  const columnOf = columnFinderOf(resolutions);
  for (const { text, select } of selects)
    checkSelect({ source: texts[text], select, role: roleOf(select), columnOf }, surroundings, reporter);
}

/** Checks a definition from before edition 3. */
export function checkBefore3(
  definition: Definition,
  { texts, plan, queries }: CompiledBefore3,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
): void {
  for (const { text, select, role, table } of queries) {
    const columnOf = columnsOfTable(table?.known);
    checkSelect({ source: texts[text], select, role, columnOf }, surroundings, reporter);
  }
  if (!plan || texts.some(reporter.isBroken)) return;
  const report: Report<Origin> = (code, { text, span }, args) => {
    const source = texts[text];
    if (source) reporter.inSql(source)(code, span, args);
  };
  const acceptsRisk = definition.kind !== 'event' && definition.acceptDangerous;
  for (const check of planChecks) check({ ...worldOf(surroundings), plan, texts, acceptsRisk, report });
}

interface PlacedSelect extends Pick<SelectSubject, 'select' | 'role'> {
  readonly source: SqlText | undefined;
  readonly columnOf: FindColumn;
}

function checkSelect(
  { source, select, role, columnOf }: PlacedSelect,
  surroundings: ConfigSurroundings,
  reporter: WatchedReporter,
): void {
  if (!source || reporter.isBroken(source)) return;
  const report = reporter.inSql(source);
  const subject = { ...worldOf(surroundings), text: source, select, role, columnOf, report };
  for (const check of selectChecks) check(subject);
  for (const expr of expressionsIn(select)) for (const check of expressionChecks) check(expr, subject);
}

export function worldOf({ options, catalog }: ConfigSurroundings): Pick<PlanSubject, 'options' | 'catalog'> {
  return { options, catalog };
}
