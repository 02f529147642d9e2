/**
 * The syntax tree of one SQL text. It contains everything that the grammar of the dialect accepts, including constructs that no
 * edition supports, which later stages reject. Spans are relative to the SQL text (the value of the YAML scalar), not to the file.
 * The `span` of an expression excludes its own parentheses, and `outer` includes them.
 */
import type { Span } from '../text/span.ts';

export interface Name {
  /** The name as the database sees it: folded to lower case unless it is quoted. */
  readonly text: string;
  readonly quoted: boolean;
  /** Whether the name has capital letters and no quotes, so that folding changed it. */
  readonly folded: boolean;
  readonly span: Span;
}

interface Node {
  readonly span: Span;
  /** The span including the surrounding parentheses, if there are any. */
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

/** A reference: `column`, `table.column` or `schema.table.column`. */
export interface Reference extends Node {
  readonly kind: 'reference';
  readonly schema?: Name;
  readonly table?: Name;
  readonly column: Name;
}

/** A star, `*` or `table.*`, as an output column or, wrongly, as a value. */
export interface Star extends Node {
  readonly kind: 'star';
  readonly schema?: Name;
  readonly table?: Name;
}

export interface FunctionCall extends Node {
  readonly kind: 'call';
  readonly schema?: Name;
  readonly name: Name;
  /** The span of schema and name, without the parentheses. */
  readonly nameSpan: Span;
  readonly args: readonly Expr[];
  /** The modifiers of the call: DISTINCT, ALL, ORDER BY, FILTER or OVER. */
  readonly modifiers: readonly { readonly word: string; readonly span: Span }[];
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly op: 'NOT' | '+' | '-';
  readonly operand: Expr;
}

/** A binary operator in upper case. `<>` is kept as written, and `a OPERATOR(x.+) b` has the operator `+`. */
export interface Binary extends Node {
  readonly kind: 'binary';
  readonly op: string;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
}

/** A test `a [NOT] IN right`, where `right` is the expression, list or subquery after IN. */
export interface In extends Node {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly opSpan: Span;
  readonly left: Expr;
  readonly right: Expr;
}

/** A test IS [NOT] NULL / TRUE / FALSE, ISNULL or NOTNULL. */
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

/** A cast: `CAST(x AS type)`, `x::type`, or the typed literal `type 'text'`. */
export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expr;
  readonly type: TypeName;
}

export interface TypeName {
  /** The last part of the name, folded: `varchar` for `pg.varchar(10)[]`. Several words are joined: `double precision`. */
  readonly text: string;
  /** Whether `[]` follows. */
  readonly array: boolean;
  readonly span: Span;
}

/** A JSON member: `a -> key` or `a ->> key`. The key must be a string or integer literal; nothing else can be parsed. */
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

/** A list: `(a, b)`, `ROW(a, b)` or `ARRAY[a, b]`. The span of `(a, b)` excludes the parentheses. */
export interface List extends Node {
  readonly kind: 'list';
  readonly form: 'parentheses' | 'row' | 'array';
  readonly items: readonly Expr[];
}

/** A statement used as a value. `outer` includes its parentheses; `f(SELECT …)` has no parentheses of its own. */
export interface Subquery extends Node {
  readonly kind: 'subquery';
  readonly query: Statement;
}

/** A parameter of a statement, such as `$1`. */
interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly text: string;
}

/** A value without parentheses such as `current_user`. */
export interface Keyword extends Node {
  readonly kind: 'keyword';
  readonly word: string;
}

/** A call with its own grammar: `extract(…)`, `overlay(…)`, `substring(x FROM n FOR m)`, `ARRAY(SELECT …)`. */
export interface Special extends Node {
  readonly kind: 'special';
  readonly form: 'extract' | 'overlay' | 'substring' | 'array';
  readonly args: readonly Expr[];
}

/** A place where the parser could not read a value. A syntax error was reported, so nothing else is reported about this place. */
export interface UnreadableSql extends Node {
  readonly kind: 'unreadable';
  /** The names before a dot after which no column could be read, as in an incomplete `t.`. */
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
  /** Whether the alias is written with AS. */
  readonly as: boolean;
  /** The column names after the alias, as in `q(a, b)`. */
  readonly columns?: readonly Name[];
}

export interface TableSource {
  readonly kind: 'table';
  readonly schema?: Name;
  readonly name: Name;
  /** The span of schema and name. */
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
  /** The span of the call and its alias. */
  readonly span: Span;
  /** The span of the call only. */
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

/** An item of FROM. Joins in parentheses are flattened into the list, because only inner joins are supported. */
export interface FromItem {
  readonly source: FromSource;
  /** Absent for the first item and for items after a comma. */
  readonly join?: {
    readonly kind: JoinKind;
    readonly span: Span;
    readonly on?: Expr;
    readonly using?: Span;
  };
}

/** A clause that is parsed and then rejected. */
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
  /** The span of ALL, which has no effect. */
  readonly all?: Span;
  /** The span of DISTINCT and its ON list. */
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
  /** The message: the problem, the expectation, and the replacement. */
  readonly problem: string;
  /** An edit of the SQL text that fixes the problem. */
  readonly fix?: SyntaxFix;
}

export interface SyntaxFix {
  /** The title: a short imperative such as `Quote the name`. */
  readonly title: string;
  readonly span: Span;
  readonly text: string;
}

export interface ParsedSql {
  readonly text: string;
  /** The statements. Empty if there are none, for example in an empty text. The first one counts. */
  readonly statements: readonly Statement[];
  /** The problems in the order of detection. The reference stops at the first one; the others are found after recovery. */
  readonly problems: readonly SyntaxProblem[];
}
