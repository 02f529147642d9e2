/** The data that an expression of a plan can read during its evaluation. */
import type { Expression, RequestPart } from '../expression.ts';
import type { EvaluationFailure } from '../values/failure.ts';
import { type Json, readJson, writeJson } from '../values/json.ts';
import type { Element } from '../values/jsonEach.ts';
import type { JsonRules } from '../values/jsonPath.ts';
import type { SqlValue } from '../values/value.ts';

/** The values of a row by column name. A missing column is NULL, and is left out of the synced row. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The table from which a row really comes. */
export interface SourceTable {
  readonly tag: string;
  readonly schema: string;
  readonly name: string;
}

/** Splits `app.lists` at its first dot. A name without a dot is in the default schema. */
export function tableNamed(
  name: string,
  { tag = 'default', defaultSchema }: { readonly tag?: string; readonly defaultSchema: string },
): SourceTable {
  const dot = name.indexOf('.');
  return dot === -1
    ? { tag, schema: defaultSchema, name }
    : { tag, schema: name.slice(0, dot), name: name.slice(dot + 1) };
}

export interface RequestDocument {
  readonly text: string;
  readonly json: Json;
}

/** The request documents. Undefined: a default subscription has no parameters. */
export type RequestDocuments = Readonly<Record<RequestPart, RequestDocument | undefined>>;

export interface EvaluationScope {
  readonly row: Row;
  readonly table: SourceTable;
  /** The part of the table's name that the wildcard of the rule's pattern matched. */
  readonly suffix: string;
  readonly elements: readonly Element[];
  readonly request: RequestDocuments;
}

/** Computes the value of one expression. */
export type Evaluator = (scope: EvaluationScope) => SqlValue;

/** The options of a config that change the values of expressions. */
export interface EvaluationRules extends JsonRules {
  /** The option `unstable_sqlite_expression_engine`. */
  readonly sqliteEngine: boolean;
  /** Whether a blob removes an earlier column with the same name, as before edition 3. */
  readonly blobsOverwrite?: boolean;
  /** Present to trace an evaluation. Expressions compiled without it have no tracing code. */
  readonly observe?: Observer;
}

/** Receives the value of each expression, or its failure. Inner expressions come first. */
export type Observer = (
  expression: Expression,
  scope: EvaluationScope,
  result: SqlValue | EvaluationFailure,
) => void;

export const noRow: Row = Object.freeze(Object.create(null));
export const noTable: SourceTable = { tag: '', schema: '', name: '' };
export const noRequest: RequestDocuments = {
  auth: undefined,
  connection: undefined,
  subscription: undefined,
};

/** Reads a request document from its JSON text, which keeps the digits of large numbers. */
export function requestDocument(text: string): RequestDocument {
  const json = readJson(text);
  return { text: writeJson(json), json };
}
