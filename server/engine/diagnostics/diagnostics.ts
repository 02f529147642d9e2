/**
 * The catalogue: every code that the engine can report, with its severity, its title and its sentence. A code is born
 * in `diagnostics/` and nowhere else; its page is `docs/rules/<code>.md`.
 *
 * error = the service refuses the config, or data leaks; warning = accepted, but surely wrong or unsafe;
 * hint = style or cost.
 */
import type { Span } from '../text/span.ts';
import { accessTestFindings } from './accessTests.ts';
import { adviceFindings, silentFindings, sourceFindings } from './advice.ts';
import { optionFindings, structureFindings, yamlFindings } from './configs.ts';
import type { FindingGroup, Severity } from './entry.ts';
import { bucketDefinitionFindings, edition2Findings, eventFindings } from './olderConfigs.ts';
import {
  columnFindings,
  expressionFindings,
  filterFindings,
  statementFindings,
  subqueryFindings,
} from './queries.ts';
import { environmentFindings, serviceMeaningFindings, serviceStructureFindings } from './serviceConfigs.ts';

export type { Severity };

/** The groups in the order of `docs/RULES.md`. */
const groups = {
  YAML: yamlFindings,
  'The structure of a sync config': structureFindings,
  'Options under `config`': optionFindings,
  'Statements and syntax': statementFindings,
  'Tables, names and columns': columnFindings,
  'Expressions and functions': expressionFindings,
  'Request values and filters': filterFindings,
  'CTEs and subqueries': subqueryFindings,
  'Legacy bucket definitions': bucketDefinitionFindings,
  'Streams of edition 2': edition2Findings,
  Events: eventFindings,
  'With a known source schema': sourceFindings,
  'What a service accepts silently': silentFindings,
  'Advice that no service gives': adviceFindings,
  'The structure of a service config': serviceStructureFindings,
  'Values from the environment': environmentFindings,
  'What a service config means': serviceMeaningFindings,
  'Access tests': accessTestFindings,
} satisfies Record<string, FindingGroup>;

export const catalogue = {
  ...yamlFindings,
  ...structureFindings,
  ...optionFindings,
  ...statementFindings,
  ...columnFindings,
  ...expressionFindings,
  ...filterFindings,
  ...subqueryFindings,
  ...bucketDefinitionFindings,
  ...edition2Findings,
  ...eventFindings,
  ...sourceFindings,
  ...silentFindings,
  ...adviceFindings,
  ...serviceStructureFindings,
  ...environmentFindings,
  ...serviceMeaningFindings,
  ...accessTestFindings,
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

/** Reports a finding. The arguments are those of the code's sentence. */
export type Report<At = Span> = <C extends Code>(code: C, at: At, args: Args<C>) => void;

export function isCode(text: string): text is Code {
  return Object.hasOwn(catalogue, text);
}

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
