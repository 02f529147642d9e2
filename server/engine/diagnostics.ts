/**
 * The catalogue: every code that the engine can report, with its severity, its title and its sentence. A code is born
 * in `diagnostics/` and nowhere else; its page is `docs/rules/<code>.md`.
 *
 * error = the service refuses the config, or data leaks; warning = accepted, but surely wrong or unsafe;
 * hint = style or cost.
 */

import { advice, silence, source } from './diagnostics/advice.ts';
import { options, structure, yaml } from './diagnostics/configs.ts';
import type { FindingGroup, Severity } from './diagnostics/entry.ts';
import { bucketDefinitions, events, streamsOfEdition2 } from './diagnostics/olderConfigs.ts';
import { columns, expressions, filters, statements, subqueries } from './diagnostics/queries.ts';
import { environment, serviceMeaning, serviceStructure } from './diagnostics/serviceConfigs.ts';
import type { Span } from './text/span.ts';

export type { Severity };

/** In the order in which `docs/RULES.md` lists them. */
const groups = {
  YAML: yaml,
  'The structure of a sync config': structure,
  'Options under `config`': options,
  'Statements and syntax': statements,
  'Tables, names and columns': columns,
  'Expressions and functions': expressions,
  'Request values and filters': filters,
  'CTEs and subqueries': subqueries,
  'Legacy bucket definitions': bucketDefinitions,
  'Streams of edition 2': streamsOfEdition2,
  Events: events,
  'With a known source schema': source,
  'What a service accepts in silence': silence,
  'Advice that no service gives': advice,
  'The structure of a service config': serviceStructure,
  'Values from the environment': environment,
  'What a service config means': serviceMeaning,
} satisfies Record<string, FindingGroup>;

export const catalogue = {
  ...yaml,
  ...structure,
  ...options,
  ...statements,
  ...columns,
  ...expressions,
  ...filters,
  ...subqueries,
  ...bucketDefinitions,
  ...streamsOfEdition2,
  ...events,
  ...source,
  ...silence,
  ...advice,
  ...serviceStructure,
  ...environment,
  ...serviceMeaning,
};

export type Code = keyof typeof catalogue;
export type Args<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0];

/** Something to say about a place. Sentences are made at the edge, by {@link messageOf}. */
export interface Finding {
  readonly code: Code;
  /** Whose offsets these are depends on the stage; in an `Analysis` they count in the file. */
  readonly span: Span;
  readonly args: object;
  /** A second place that belongs to it, such as the first of two equal keys. */
  readonly related?: { readonly span: Span; readonly message: string };
}

/** How a stage says something: the arguments are those of the code's sentence. */
export type Report<At = Span> = <C extends Code>(code: C, at: At, args: Args<C>) => void;

export function severityOf(code: Code): Severity {
  return catalogue[code].severity;
}

export function messageOf(finding: Finding): string {
  return (catalogue[finding.code].message as (args: object) => string)(finding.args);
}

export function titleOf(code: Code): string {
  return catalogue[code].title;
}

/** The codes by the titles of their groups, as people read them. */
export const codeGroups: ReadonlyMap<string, readonly Code[]> = new Map(
  Object.entries(groups).map(([title, group]) => [title, Object.keys(group) as Code[]]),
);
