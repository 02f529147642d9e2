/**
 * The syntax tree of one SQL text. It contains everything that the dialect's grammar reads, also what no
 * edition supports: later stages refuse that.
 * Spans count in the SQL text (the value of the YAML scalar), not in the file. An expression's `span`
 * excludes its own parentheses; `outer` includes them.
 */
import type { Span } from '../text/span.ts';

export interface Name {
  /** The name as the database sees it: folded to lower case unless quoted. */
  readonly text: string;
  readonly quoted: boolean;
  /** Has capital letters and no quotes, so that folding changed it. */
  readonly folded: boolean;
  readonly span: Span;
}

interface Node {
  readonly span: Span;
  /** The span with the parentheses around it, if there are any. */
  readonly outer?: Span;
}

export type LiteralValue =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'integer'; readonly value: bigint }
  | { readonly type: 'real'; readonly value: number }
  | { readonly type: 'text'; readonly value: string };

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** `column`, `table.column` or `schema.table.column`. */
export interface Reference extends Node {
  readonly kind: 'reference';
  readonly schema?: Name;
  readonly table?: Name;
  readonly column: Name;
}

/** `*` or `table.*`, as an output column or, wrongly, as a value. */
export interface Star extends Node {
  readonly kind: 'star';
  readonly schema?: Name;
  readonly table?: Name;
}

export interface FunctionCall extends Node {
  readonly kind: 'call';
  readonly schema?: Name;
  readonly name: Name;
  /** Schema and name, without the parentheses. */
  readonly nameSpan: Span;
  readonly args: readonly Expr[];
  /** DISTINCT, ALL, ORDER BY, FILTER or OVER. */
  readonly modifiers: readonly { readonly word: string; readonly span: Span }[];
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly op: 'NOT' | '+' | '-';
  readonly operand: Expr;
}

/** Operators in upper case; `<>` is kept as written; `a OPERATOR(x.+) b` has op `+`. */
export interface Binary extends Node {
  readonly kind: 'binary';
  readonly op: string;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
}

/** `a [NOT] IN right`. `right` is the expression, list or subquery after IN. */
export interface In extends Node {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
}

/** IS [NOT] NULL / TRUE / FALSE, ISNULL, NOTNULL. */
export interface Is extends Node {
  readonly kind: 'is';
  readonly negated: boolean;
  readonly test: 'null' | 'true' | 'false';
  readonly operand: Expr;
}

export interface Between extends Node {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: Expr;
  readonly low: Expr;
  readonly high: Expr;
}

export interface Case extends Node {
  readonly kind: 'case';
  readonly operand?: Expr;
  readonly branches: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise?: Expr;
}

/** `CAST(x AS type)`, `x::type`, or the typed literal `type 'text'`. */
export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly type: TypeName;
}

export interface TypeName {
  /** The last name, folded, e.g. `varchar` of `pg.varchar(10)[]`; several words are joined: `double precision`. */
  readonly text: string;
  /** Whether `[]` follows. */
  readonly array: boolean;
  readonly span: Span;
}

/** `a -> key`, `a ->> key`; the key is a string or an integer literal, nothing else parses. */
export interface Member extends Node {
  readonly kind: 'member';
  readonly op: '->' | '->>';
  readonly operand: Expr;
  readonly key: Literal;
}

export interface Index extends Node {
  readonly kind: 'index';
  readonly operand: Expr;
  readonly index: Expr;
}

/** `(a, b)`, `ROW(a, b)` or `ARRAY[a, b]`. The span of `(a, b)` leaves out the parentheses. */
export interface List extends Node {
  readonly kind: 'list';
  readonly form: 'parentheses' | 'row' | 'array';
  readonly items: readonly Expr[];
}

/** A statement as a value. `outer` holds the parentheses; `f(SELECT …)` has none of its own. */
export interface Subquery extends Node {
  readonly kind: 'subquery';
  readonly query: Statement;
}

/** `$1` */
interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly text: string;
}

/** A value without parentheses such as `current_user`. */
export interface Keyword extends Node {
  readonly kind: 'keyword';
  readonly word: string;
}

/** `extract(…)`, `overlay(…)`, `substring(x FROM n FOR m)`, `ARRAY(SELECT …)`: calls with a grammar of their own. */
export interface Special extends Node {
  readonly kind: 'special';
  readonly form: 'extract' | 'overlay' | 'substring' | 'array';
  readonly args: readonly Expr[];
}

/** A place where the parser could not read a value. A syntax error was reported, so nothing else is reported about it. */
export interface UnreadableSql extends Node {
  readonly kind: 'unreadable';
  /** The names before a dot after which no column could be read, as in a half-typed `t.`. */
  readonly names?: readonly Name[];
}

export type Expr =
  | Literal
  | Reference
  | Star
  | FunctionCall
  | Unary
  | Binary
  | In
  | Is
  | Between
  | Case
  | Cast
  | Member
  | Index
  | List
  | Subquery
  | Parameter
  | Keyword
  | Special
  | UnreadableSql;

export interface SelectColumn {
  readonly expr: Expr;
  readonly alias?: Name;
  readonly span: Span;
}

export interface Alias {
  readonly name: Name;
  /** Written with AS. */
  readonly as: boolean;
  /** The column names after it: `q(a, b)`. */
  readonly columns?: readonly Name[];
}

export interface TableSource {
  readonly kind: 'table';
  readonly schema?: Name;
  readonly name: Name;
  /** Schema and name. */
  readonly nameSpan: Span;
  readonly alias?: Alias;
  readonly span: Span;
}

export interface FunctionSource {
  readonly kind: 'function';
  readonly schema?: Name;
  readonly name: Name;
  readonly nameSpan: Span;
  readonly args: readonly Expr[];
  readonly alias?: Alias;
  /** The call and its alias. */
  readonly span: Span;
  /** The call alone. */
  readonly callSpan: Span;
}

export interface SubquerySource {
  readonly kind: 'subquery';
  readonly query: Statement;
  readonly alias?: Alias;
  readonly span: Span;
}

export type FromSource = TableSource | FunctionSource | SubquerySource;

export type JoinKind = 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';

/** FROM, flattened: parenthesised joins are spliced in, since only inner joins have a meaning. */
export interface FromItem {
  readonly source: FromSource;
  /** Absent for the first item and for those after a comma. */
  readonly join?: {
    readonly kind: JoinKind;
    readonly span: Span;
    readonly on?: Expr;
    readonly using?: Span;
  };
}

/** A clause that parses and is then refused. */
export interface RefusedClause {
  readonly clause:
    | 'GROUP BY'
    | 'HAVING'
    | 'ORDER BY'
    | 'LIMIT'
    | 'OFFSET'
    | 'FETCH'
    | 'FOR'
    | 'SKIP LOCKED'
    | 'NOWAIT';
  readonly span: Span;
}

export interface Select {
  readonly kind: 'select';
  /** ALL, which changes nothing. */
  readonly all?: Span;
  /** DISTINCT, with its ON list. */
  readonly distinct?: Span;
  readonly columns: readonly SelectColumn[];
  readonly from: readonly FromItem[];
  readonly where?: Expr;
  readonly refused: readonly RefusedClause[];
  readonly span: Span;
}

/** A statement that is not supported, such as INSERT, UNION, VALUES or WITH. */
export interface OtherStatement {
  readonly kind: 'other';
  readonly what: string;
  readonly span: Span;
}

export type Statement = Select | OtherStatement;

export interface SyntaxProblem {
  readonly span: Span;
  /** A sentence with the problem, the expectation, and the replacement. */
  readonly problem: string;
  /** An edit of the SQL text that repairs it. */
  readonly fix?: SyntaxFix;
}

export interface SyntaxFix {
  /** An order in a few words, e.g. `Quote the name`. */
  readonly title: string;
  readonly span: Span;
  readonly text: string;
}

export interface ParsedSql {
  readonly text: string;
  /** Empty when there is none, e.g. in an empty text. The first one counts. */
  readonly statements: readonly Statement[];
  /** The problems in the order of detection. The reference stops at the first one; the others come from recovery. */
  readonly problems: readonly SyntaxProblem[];
}
