/** A part of a query in two forms: in the dialect of streams, and in SQLite for one request. */
import type { Request_ } from './world.ts';

export interface Term {
  readonly stream: string;
  readonly sqlite: (request: Request_) => string;
}

export function plain(text: string): Term {
  return { stream: text, sqlite: () => text };
}

export function literal(value: string | number): Term {
  return plain(quote(value));
}

/** Combines several terms into one. Used as the tag of a template. */
export function template(parts: TemplateStringsArray, ...terms: readonly Term[]): Term {
  const fill = (of: (term: Term) => string) => String.raw({ raw: parts }, ...terms.map(of));
  return { stream: fill(({ stream }) => stream), sqlite: (request) => fill(({ sqlite }) => sqlite(request)) };
}

/** Makes NULL count as false, as in a stream wherever a condition is negated. In SQLite, that takes `ifnull(x, 0)`. */
export function condition(term: Term): Term {
  return { stream: term.stream, sqlite: (request) => `ifnull(${term.sqlite(request)}, 0)` };
}

export function equal(left: Term, right: Term): Term {
  return condition(template`${left} = ${right}`);
}

export function not(term: Term): Term {
  return template`NOT (${term})`;
}

export function both(operator: 'AND' | 'OR', left: Term, right: Term): Term {
  return template`(${left} ${plain(operator)} ${right})`;
}

export function quote(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
