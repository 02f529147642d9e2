/** Compiles streams of edition 3 from their SQL alone, and returns the findings as text. */
import { type Finding, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import type {
  ConfigSurroundings,
  Cte,
  Options,
  Reporter,
  SqlText,
} from '../../../server/engine/model/definition.ts';
import { parseAndKeep } from '../../../server/engine/model/trees.ts';
import { type CompiledStream, checkCte, compileStream } from '../../../server/engine/plan/compile/compile.ts';
import { readCatalog } from './catalog.ts';

export interface StreamSetting {
  /** The CTEs of the stream, by name. */
  readonly ctes?: Readonly<Record<string, string>>;
  /** The CTEs of the whole config, by name. */
  readonly globals?: Readonly<Record<string, string>>;
  /** The tables of the source, as `create table` lines. */
  readonly catalog?: string;
  readonly options?: Partial<Options>;
  readonly acceptDangerous?: boolean;
  readonly name?: string;
}

export interface StreamResult extends CompiledStream {
  /** The sorted findings as `code "marked text"`. A finding in a CTE begins with the name of the CTE and a colon. */
  readonly findings: readonly string[];
  /** Whether the config is valid. */
  readonly valid: boolean;
}

export const edition3: Options = {
  edition: 3,
  timestampsIso8601: true,
  versionedBucketIds: true,
  fixedJsonExtract: true,
  customPostgresTypes: true,
  sqliteEngine: false,
};

export function compileSql(sql: string | readonly string[], setting: StreamSetting = {}): StreamResult {
  const { acceptDangerous = true, name = 's' } = setting;
  const collected = collect();
  const ctes = ctesOf(setting.ctes, collected.nameOf);
  const surroundings = surroundingsOf(setting, collected.nameOf);
  const queries = [sql].flat().map(textOf);
  const nowhere = { start: 0, end: 0 };
  for (const cte of surroundings.ctes) checkCte(cte, surroundings, collected.reporter(cte));
  const compiled = compileStream(
    {
      kind: 'stream',
      name,
      nameSpan: nowhere,
      span: nowhere,
      autoSubscribe: true,
      priority: 3,
      acceptDangerous,
      ctes,
      queries,
    },
    surroundings,
    collected.reporter(),
  );
  for (const { cte, finding } of compiled.inGlobalCtes) {
    collected.reporter().inSql(cte.query)(finding.code, finding.span, finding.args as never);
  }
  const { findings, lines } = collected;
  return {
    ...compiled,
    findings: [...new Set(lines)].sort(),
    valid:
      !findings.some(({ code }) => severityOf(code) === 'error') &&
      [...queries, ...ctes.map((cte) => cte.query)].every((text) => text.sql.problems.length === 0),
  };
}

export function findingsOf(sql: string | readonly string[], setting?: StreamSetting): readonly string[] {
  return compileSql(sql, setting).findings;
}

export function textOf(sql: string): SqlText {
  return {
    sql: parseAndKeep(sql),
    span: { start: 0, end: sql.length },
    style: 'plain',
    place: (span) => span,
  };
}

function ctesOf(from: Readonly<Record<string, string>> = {}, nameOf: Map<SqlText, string>): Cte[] {
  return Object.entries(from).map(([name, sql]) => {
    const query = textOf(sql);
    nameOf.set(query, name);
    return { name, nameSpan: { start: 0, end: name.length }, query };
  });
}

function surroundingsOf(
  { globals, catalog, options }: StreamSetting,
  nameOf: Map<SqlText, string>,
): ConfigSurroundings {
  const known: Catalog | undefined = catalog === undefined ? undefined : readCatalog(catalog);
  return {
    options: { ...edition3, ...options },
    ctes: ctesOf(globals, nameOf),
    defaultSchema: 'public',
    ...(known && { catalog: known }),
  };
}

function collect() {
  const findings: Finding[] = [];
  const lines: string[] = [];
  const nameOf = new Map<SqlText, string>();
  const reporter = (cte?: Cte): Reporter => ({
    atPart: (code, span, args) => {
      findings.push({ code, span, args: args as object });
      lines.push(`${code} ${cte?.name ?? (args as { name?: string }).name ?? ''}`.trimEnd());
    },
    inSql: (text) => (code, span, args) => {
      findings.push({ code, span, args: args as object });
      const owner = nameOf.get(text);
      const marked = text.sql.text.slice(span.start, span.end);
      lines.push(`${owner === undefined ? '' : `${owner}: `}${code} ${JSON.stringify(marked)}`);
    },
  });
  return { findings, lines, nameOf, reporter };
}
