/** The shared state of the parts of the compiler while they compile one stream, or check one CTE. */
import { type Finding, type Report, severityOf } from '../../diagnostics/diagnostics.ts';
import type { CatalogTable } from '../../model/catalog.ts';
import type { ConfigSurroundings, Cte, Reporter, SqlText } from '../../model/definition.ts';
import type { Expr, FunctionCall, Reference, Select, Star } from '../../sql/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Expression, Origin } from '../expression.ts';
import { finderOf, findNoCte } from './ctes.ts';
import type {
  CompiledText,
  DependentValue,
  EnclosingTest,
  QueryRelation,
  QueryScope,
  Use,
} from './relations.ts';

/** A name in a text and what it refers to. */
export interface NameResolution {
  readonly text: number;
  readonly node: Reference | Star | FunctionCall;
  readonly relation: QueryRelation;
}

/** A SELECT, at the top of a text or nested, with the names that its expressions can use. */
export interface ResolvedSelect {
  readonly text: number;
  readonly select: Select;
  readonly scope: QueryScope;
}

/** A finding in the text of a global CTE, which belongs to no stream. Its span is relative to the SQL. */
export interface CteFinding {
  readonly cte: Cte;
  readonly finding: Finding;
}

export interface Compilation {
  readonly surroundings: ConfigSurroundings;
  readonly reporter: Reporter;
  /** All texts that were read, by index. */
  readonly texts: CompiledText[];
  readonly usedCtes: Set<Cte>;
  readonly inGlobalCtes: CteFinding[];
  /** The texts of used CTEs, so that each one has a single index. */
  readonly textOfCte: Map<Cte, CompiledText>;
  readonly resolutions: NameResolution[];
  readonly selects: ResolvedSelect[];
  /** Queries without a table that have already been reported. */
  readonly withoutFrom: Set<Select>;
  readonly knownTables: ReadonlyMap<string, ReadonlyMap<string, CatalogTable>> | undefined;
  /** Compiles an expression to a value. Calls, subqueries and lists use it for their parts. */
  readonly translate: (place: ExpressionPlace, expr: Expr) => DependentValue | undefined;
  nextId: number;
  /** Whether an error was reported in the query that is being compiled. */
  failed: boolean;
}

/** The place of an expression. */
export interface ExpressionPlace {
  readonly c: Compilation;
  readonly text: CompiledText;
  readonly scope: QueryScope;
  /** Present inside a subquery that is not a condition on its own. */
  readonly buried?: EnclosingTest;
}

/** Everything that a text can name, apart from tables. */
type Reach = Pick<CompiledText, 'findCte' | 'findOutOfReach'>;

/** Returns a text whose problems are reported here. A text with syntax errors has no further findings. */
export function ownText(c: Compilation, source: SqlText, reach: Partial<Reach>): CompiledText {
  const { findCte = findNoCte, findOutOfReach = findNoCte } = reach;
  const isBroken = source.sql.problems.length > 0;
  if (isBroken) c.failed = true;
  const report = isBroken ? silently(c) : aloud(c, c.reporter.inSql(source));
  return addText(c, { source, own: true, findCte, findOutOfReach, report, reportUse: report });
}

/** Returns the text of a CTE for a query that uses it. Only problems of this use are reported. */
export function textOfUsedCte(c: Compilation, cte: Cte): CompiledText {
  c.usedCtes.add(cte);
  const known = c.textOfCte.get(cte);
  if (known) return known;
  const { query: source } = cte;
  const report = silently(c);
  const isBroken = source.sql.problems.length > 0;
  const reportUse = isBroken
    ? report
    : aloud(c, isGlobal(c, cte) ? inGlobalCte(c, cte) : c.reporter.inSql(source));
  const reach: Reach = { findCte: findNoCte, findOutOfReach: findNoCte };
  const text = addText(c, { source, own: false, ...reach, report, reportUse });
  c.textOfCte.set(cte, text);
  return text;
}

function addText(c: Compilation, parts: Omit<CompiledText, 'index' | 'origins'>): CompiledText {
  const text = { index: c.texts.length, origins: new Map(), ...parts };
  c.texts.push(text);
  return text;
}

export function isGlobal({ surroundings }: Compilation, cte: Cte): boolean {
  return finderOf(surroundings.ctes)(cte.name) === cte;
}

function inGlobalCte(c: Compilation, cte: Cte): Report {
  return (code, span, args) => {
    c.inGlobalCtes.push({ cte, finding: { code, span, args: args as object } });
  };
}

function aloud(c: Compilation, report: Report): Report {
  return (code, at, args) => {
    if (severityOf(code) === 'error') c.failed = true;
    report(code, at, args);
  };
}

function silently(c: Compilation): Report {
  return (code) => {
    if (severityOf(code) === 'error') c.failed = true;
  };
}

/**
 * Returns the same object for the same place, because a column, its value and its use share a place, and plans are kept for a long
 * time.
 */
export function originOf({ index, origins }: CompiledText, span: Span): Origin {
  const key = span.start * 2 ** 26 + span.end;
  const known = origins.get(key);
  if (known) return known;
  const origin = { text: index, span };
  origins.set(key, origin);
  return origin;
}

export function leaf(expression: Expression, use?: Use): DependentValue {
  return { expression, uses: use ? [use] : [], size: 1, depth: 1 };
}
