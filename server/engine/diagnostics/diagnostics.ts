/**
 * The catalogue: every code that the engine can report, with its severity, title and message. Codes are defined only in
 * `diagnostics/`, and each one has a page `docs/rules/<code>.md`.
 *
 * An error means that the service rejects the config, or that data leaks. A warning means that the config is accepted but certainly
 * wrong or unsafe. A hint is about style or cost.
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

/** A problem at a place. {@link messageOf} turns it into a message when it is shown. */
export interface Finding {
  readonly code: Code;
  /**
   * The span of the problem. In an `Analysis`, its offsets are those of the file; in earlier stages, they may be relative to a
   * part.
   */
  readonly span: Span;
  readonly args: object;
  /** A second place that belongs to the finding, for example the first of two equal keys. */
  readonly related?: { readonly span: Span; readonly message: string };
}

/** Reports a finding. The arguments are those of the code's message. */
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

/** The codes by the titles of their groups, as users read them. */
export const codeGroups: ReadonlyMap<string, readonly Code[]> = new Map(
  Object.entries(groups).map(([title, group]) => [title, Object.keys(group) as Code[]]),
);
