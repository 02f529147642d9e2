/** Compiles bucket definitions, streams of edition 2 and events from their SQL alone, and returns the findings as text. */
import type {
  ConfigSurroundings,
  Options,
  Priority,
  Reporter,
} from '../../../server/engine/model/definition.ts';
import { compileBucketDefinition } from '../../../server/engine/plan/before3/definition.ts';
import { compileEvent } from '../../../server/engine/plan/before3/event.ts';
import { compileAlphaStream } from '../../../server/engine/plan/before3/streams/alphaStream.ts';
import { dumpPlan } from '../../../server/engine/plan/dump.ts';
import type { StreamPlan } from '../../../server/engine/plan/plan.ts';
import { readCatalog } from './catalog.ts';
import { edition3, textOf } from './stream.ts';

export interface DefinitionSetting {
  /** The tables of the source, as `create table` lines. */
  readonly catalog?: string;
  readonly options?: Partial<Options>;
  readonly acceptDangerous?: boolean;
  readonly autoSubscribe?: boolean;
  readonly priority?: Priority;
}

export interface DefinitionResult {
  /** The findings in the order in which they were found, as `code "marked text"`. */
  readonly findings: readonly string[];
  /** The plan as text, line by line. Absent after an error. */
  readonly plan?: readonly string[];
}

const named = { name: 'd', nameSpan: { start: 0, end: 1 }, span: { start: 0, end: 1 } };

export function compileDefinition(
  parameters: string | readonly string[] | undefined,
  data: string | readonly string[],
  setting: DefinitionSetting = {},
): DefinitionResult {
  const { acceptDangerous = false, priority } = setting;
  const collected = collect();
  const { plan } = compileBucketDefinition(
    {
      kind: 'bucket-definition',
      ...named,
      acceptDangerous,
      ...(priority !== undefined && { priority }),
      parametersUnreadable: false,
      ...(parameters !== undefined && { parameters: [parameters].flat().map(textOf) }),
      data: [data].flat().map(textOf),
    },
    surroundingsOf(setting, 1),
    collected.reporter,
  );
  return resultOf(collected.lines, plan);
}

export function compileAlpha(sql: string, setting: DefinitionSetting = {}): DefinitionResult {
  const { acceptDangerous = false, autoSubscribe = false, priority = 3 } = setting;
  const collected = collect();
  const { plan } = compileAlphaStream(
    {
      kind: 'stream',
      ...named,
      autoSubscribe,
      priority,
      ...(setting.priority !== undefined && { prioritySpan: named.span }),
      acceptDangerous,
      ctes: [],
      queries: [textOf(sql)],
    },
    surroundingsOf(setting, 2),
    collected.reporter,
  );
  return resultOf(collected.lines, plan);
}

export function eventFindings(sql: string, setting: DefinitionSetting = {}): readonly string[] {
  const collected = collect();
  compileEvent(
    { kind: 'event', ...named, payloads: [textOf(sql)] },
    surroundingsOf(setting, 3),
    collected.reporter,
  );
  return collected.lines;
}

/** Returns the findings of a data query of a definition with the parameters `p` and `q`. */
export function dataFindings(sql: string, setting?: DefinitionSetting): readonly string[] {
  return compileDefinition("SELECT request.user_id() AS p, request.jwt() ->> 'q' AS q", sql, setting)
    .findings;
}

/** Returns the findings of a data query of a definition without parameters. */
export function plainFindings(sql: string, setting?: DefinitionSetting): readonly string[] {
  return compileDefinition(undefined, sql, setting).findings;
}

export function parameterFindings(sql: string, setting?: DefinitionSetting): readonly string[] {
  return compileDefinition(sql, [], setting).findings;
}

export function alphaFindings(sql: string, setting?: DefinitionSetting): readonly string[] {
  return compileAlpha(sql, setting).findings;
}

function resultOf(findings: readonly string[], plan: StreamPlan | undefined): DefinitionResult {
  return { findings, ...(plan && { plan: dumpPlan(plan).split('\n') }) };
}

function surroundingsOf(
  { catalog, options }: DefinitionSetting,
  edition: Options['edition'],
): ConfigSurroundings {
  return {
    options: { ...edition3, edition, fixedJsonExtract: edition > 1, ...options },
    ctes: [],
    defaultSchema: 'public',
    ...(catalog !== undefined && { catalog: readCatalog(catalog) }),
  };
}

function collect(): { readonly lines: string[]; readonly reporter: Reporter } {
  const lines: string[] = [];
  const reporter: Reporter = {
    atPart: (code) => lines.push(code),
    inSql: (text) => (code, span) =>
      lines.push(`${code} ${JSON.stringify(text.sql.text.slice(span.start, span.end))}`),
  };
  return { lines, reporter };
}
