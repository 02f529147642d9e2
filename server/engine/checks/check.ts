import type { Code, Report } from '../diagnostics/diagnostics.ts';
import type { Catalog } from '../model/catalog.ts';
import type { Options, SqlText, StreamDefinition } from '../model/definition.ts';
import type { CompiledStream, FindColumn } from '../plan/compile/compile.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import type { Expr, Select } from '../sql/ast.ts';

/**
 * A check for one code in the result of reading and compiling a config. Problems that reading and compiling can find are reported
 * there. Checks run only where there was no error, so their findings are never consequences of one.
 */
export interface ConfigCheck {
  readonly code: Code;
  /**
   * Whether the check can find more when the tables of the source are known. While they are unknown, a comment that ignores this
   * code counts as useful.
   */
  readonly usesCatalog?: true;
  /** Called for each SELECT, including those in CTEs, subqueries, bucket definitions and events. */
  readonly checkSelect?: (subject: SelectSubject) => void;
  /** Called for each expression of the SELECT, outer expressions before inner ones. */
  readonly checkExpression?: (expr: Expr, subject: SelectSubject) => void;
  /** Called for each stream of edition 3 that has a plan. */
  readonly checkStream?: (subject: StreamSubject) => void;
  /** Called for each plan of a stream or bucket definition. */
  readonly checkPlan?: (subject: PlanSubject) => void;
  /**
   * Checks all plans of a file together. It runs at each change of the file, so results that depend on a single run should be
   * cached.
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

/** The use of the rows of a SELECT. The first two roles exist in edition 3. */
export type SelectRole = 'synced' | 'inner' | 'synced before 3' | 'parameters' | 'event';

interface StreamSubject extends Subject {
  readonly stream: StreamDefinition;
  readonly compiled: CompiledStream;
  readonly plan: StreamPlan;
  readonly report: Report<Origin>;
}

export interface PlanSubject extends Subject {
  readonly plan: StreamPlan;
  /** The texts that the plan's origins refer to by index. */
  readonly texts: readonly SqlText[];
  /** Whether the definition has `accept_potentially_dangerous_queries: true`. */
  readonly acceptsRisk: boolean;
  readonly report: Report<Origin>;
}

interface PlansSubject extends Subject {
  /** The runs in reading order. A run without changes is the same list as before. */
  readonly runs: readonly PlanRun[];
  readonly reportIn: (plan: StreamPlan) => Report<Origin>;
  /** Whether the definition of a plan has `accept_potentially_dangerous_queries: true`. */
  readonly acceptsRisk: (plan: StreamPlan) => boolean;
  /** Whether a text of a plan belongs to its definition. The alternative is a CTE of the entire file. */
  readonly isOwnText: (plan: StreamPlan, text: number) => boolean;
}

export type PlanRun = readonly StreamPlan[];
