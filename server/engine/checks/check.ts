import type { Code, Report } from '../diagnostics/diagnostics.ts';
import type { Catalog } from '../model/catalog.ts';
import type { Options, SqlText, StreamDefinition } from '../model/definition.ts';
import type { CompiledStream, FindColumn } from '../plan/compile/compile.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import type { Expr, Select } from '../sql/ast.ts';

/**
 * Looks for one code in the result of reading and compiling a config. Problems that are found during reading and compiling are
 * reported there; checks only run where there was no error, so their reports are never mere consequences of one.
 */
export interface ConfigCheck {
  readonly code: Code;
  /** Whether more is found when the tables of the source are known. Until they are, a comment that ignores this code counts as useful. */
  readonly usesCatalog?: true;
  /** Called for each SELECT, also in CTEs, subqueries, bucket definitions and events. */
  readonly checkSelect?: (subject: SelectSubject) => void;
  /** Called for each expression in it, the outer before the inner ones. */
  readonly checkExpression?: (expr: Expr, subject: SelectSubject) => void;
  /** Called for each stream of edition 3 that has a plan. */
  readonly checkStream?: (subject: StreamSubject) => void;
  /** Called for each plan, of streams and of bucket definitions. */
  readonly checkPlan?: (subject: PlanSubject) => void;
  /**
   * Checks all plans of a file. It runs at each change of the file, so results that follow from one run alone should be cached.
   */
  readonly checkPlans?: (subject: PlansSubject) => void;
}

interface Subject {
  readonly options: Options;
  /** Absent: nothing is known about the source. */
  readonly catalog?: Catalog | undefined;
}

export interface SelectSubject extends Subject {
  readonly text: SqlText;
  readonly select: Select;
  readonly role: SelectRole;
  readonly columnOf: FindColumn;
  readonly report: Report;
}

/** The use of the rows of a SELECT. The first two exist in edition 3. */
export type SelectRole = 'synced' | 'inner' | 'synced before 3' | 'parameters' | 'event';

interface StreamSubject extends Subject {
  readonly stream: StreamDefinition;
  readonly compiled: CompiledStream;
  readonly plan: StreamPlan;
  readonly report: Report<Origin>;
}

export interface PlanSubject extends Subject {
  readonly plan: StreamPlan;
  /** The texts that the numbers of its origins refer to. */
  readonly texts: readonly SqlText[];
  /** Its definition has `accept_potentially_dangerous_queries: true`. */
  readonly acceptsRisk: boolean;
  readonly report: Report<Origin>;
}

interface PlansSubject extends Subject {
  /** The runs in reading order. A run in which nothing changed is the same list as before. */
  readonly runs: readonly PlanRun[];
  readonly reportIn: (plan: StreamPlan) => Report<Origin>;
  /** Whether the definition of a plan has `accept_potentially_dangerous_queries: true`. */
  readonly acceptsRisk: (plan: StreamPlan) => boolean;
  /** Whether a text of a plan is part of its definition, and not a CTE of the whole file. */
  readonly isOwnText: (plan: StreamPlan, text: number) => boolean;
}

export type PlanRun = readonly StreamPlan[];
