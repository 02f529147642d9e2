/** The places of a config where an expression is evaluated, and a config with one expression in that place. */
import type { Form } from './forms.ts';
import { headOf, type Mode } from './modes.ts';

export interface Side {
  readonly name: string;
  /** Whether the operands are columns of a row or values of a request. */
  readonly reads: 'row' | 'request';
  /** Returns the config, or undefined if this kind of config has no such place. */
  readonly configOf: (mode: Mode, form: Form) => string | undefined;
}

export const sides: readonly Side[] = [
  {
    name: 'output column',
    reads: 'row',
    configOf: (mode, form) => {
      const x = form('a', 'b', 'c');
      return rowConfig(mode, `SELECT id, ${x} AS v, typeof(${x}) AS t FROM t`);
    },
  },
  {
    name: 'row filter',
    reads: 'row',
    configOf: (mode, form) => rowConfig(mode, `SELECT id FROM t WHERE ${form('a', 'b', 'c')}`),
  },
  {
    name: 'bucket key',
    reads: 'row',
    configOf: (mode, form) => {
      const x = form('a', 'b', 'c');
      if (mode.kind === 'streams') return stream(mode, `SELECT id FROM t WHERE (${x}) = auth.parameter('k')`);
      return definition(
        mode,
        "SELECT request.jwt() ->> 'k' AS k",
        `SELECT id FROM t WHERE (${x}) = bucket.k`,
      );
    },
  },
  {
    name: 'lookup',
    reads: 'row',
    configOf: (mode, form) => {
      const x = form('a', 'b', 'c');
      if (mode.kind === 'streams') {
        return stream(mode, `SELECT id FROM u WHERE x IN (SELECT ${x} FROM t WHERE user = auth.user_id())`);
      }
      const parameters = `SELECT ${x} AS k FROM t WHERE user = request.user_id()`;
      return definition(mode, parameters, 'SELECT id FROM u WHERE x = bucket.k');
    },
  },
  {
    name: 'lookup filter',
    reads: 'row',
    configOf: (mode, form) => {
      const x = form('a', 'b', 'c');
      const where = `user = auth.user_id() AND (${x})`;
      if (mode.kind === 'streams')
        return stream(mode, `SELECT id FROM u WHERE x IN (SELECT id FROM t WHERE ${where})`);
      const parameters = `SELECT id AS k FROM t WHERE user = request.user_id() AND (${x})`;
      return definition(mode, parameters, 'SELECT id FROM u WHERE x = bucket.k');
    },
  },
  {
    name: 'request value',
    reads: 'request',
    configOf: (mode, form) => {
      if (mode.kind === 'streams') {
        return stream(mode, `SELECT id FROM t WHERE x = (${form(...claims)})`);
      }
      return definition(mode, `SELECT ${form(...jwtMembers)} AS k`, 'SELECT id FROM t WHERE x = bucket.k');
    },
  },
  {
    name: 'request filter',
    reads: 'request',
    configOf: (mode, form) => {
      if (mode.kind === 'streams') return stream(mode, `SELECT id FROM t WHERE (${form(...claims)})`);
      return definition(mode, `SELECT WHERE (${form(...jwtMembers)})`, 'SELECT id FROM t');
    },
  },
];

const claims = ["auth.parameter('a')", "connection.parameter('b')", "subscription.parameter('c')"] as const;
const jwtMembers = [
  "request.jwt() ->> 'a'",
  "request.parameters() ->> 'b'",
  "request.jwt() ->> 'c'",
] as const;

/** Matches between a row and a request, with lists and single values. Each match has its own config. */
export const matches: readonly Side[] = [
  "x IN auth.parameter('a')",
  "auth.parameter('a') IN x",
  "x IN connection.parameter('a')",
  "x = auth.parameter('a')",
  "x && auth.parameter('a')",
  "x IN (SELECT value FROM json_each(auth.parameter('a')))",
  "x IN (SELECT id FROM u WHERE user IN auth.parameter('a'))",
  "x IN (SELECT id FROM u WHERE auth.parameter('a') IN user)",
  "'abc' IN auth.parameter('a')",
  "x = 'abc' AND auth.parameter('a') IN '[\"abc\",1]'",
].map((condition) => ({
  name: condition,
  reads: 'request',
  configOf: (mode) =>
    mode.kind === 'streams' ? stream(mode, `SELECT id FROM t WHERE ${condition}`) : undefined,
}));

function rowConfig(mode: Mode, query: string): string {
  return mode.kind === 'streams' ? stream(mode, query) : definition(mode, undefined, query);
}

function stream(mode: Mode, query: string): string {
  return `${headOf(mode)}streams:
  s:
    auto_subscribe: true
    accept_potentially_dangerous_queries: true
    query: ${JSON.stringify(query)}
`;
}

function definition(mode: Mode, parameters: string | undefined, data: string): string {
  const first = parameters === undefined ? '' : `    parameters: ${JSON.stringify(parameters)}\n`;
  return `${headOf(mode)}bucket_definitions:
  s:
    accept_potentially_dangerous_queries: true
${first}    data:
      - ${JSON.stringify(data)}
`;
}
