/** The CTEs of the entire file: reads and checks them, and finds out which streams use them. */
import { type Finding, severityOf } from '../diagnostics/diagnostics.ts';
import type { ConfigSurroundings, Cte } from '../model/definition.ts';
import { readCte } from '../model/values.ts';
import { type CheckedCte, checkCte } from '../plan/compile/compile.ts';
import type { YamlPair } from '../yaml/nodes.ts';
import type { Part } from '../yaml/parts.ts';
import { checkGlobalCte, watchTexts } from './check.ts';
import type { PlacedDefinition } from './definitions.ts';
import { collectFindings, type FileCollector } from './findings.ts';
import type { ByPart } from './perPart.ts';

export interface PlacedCte {
  readonly cte: Cte;
  readonly checked?: CheckedCte;
  readonly part: Part;
}

/** The global CTEs of one part, before the names to which they may refer are known. */
export interface ReadCtes {
  readonly ctes: readonly Cte[];
  /** The CTEs that contain an error. */
  readonly broken: ReadonlySet<Cte>;
  readonly findings: readonly Finding[];
}

export function readCtes(part: Part, entries: readonly YamlPair[]): ReadCtes {
  const broken = new Set<Cte>();
  const read = entries.map(({ key, value }) => {
    const { findings, atPart } = collectFindings();
    const cte = readCte({ text: part.reading.text, report: atPart }, key, value);
    if (cte !== undefined && findings.some(isError)) broken.add(cte);
    return { cte, findings };
  });
  return {
    ctes: read.flatMap(({ cte }) => cte ?? []),
    broken,
    findings: read.flatMap(({ findings }) => findings),
  };
}

export interface CheckedCtes {
  readonly checks: ReadonlyMap<Cte, CheckedCte>;
  readonly broken: ReadonlySet<Cte>;
  readonly findings: readonly Finding[];
}

export function checkCtes(ctes: readonly Cte[], surroundings: ConfigSurroundings): CheckedCtes {
  const broken = new Set<Cte>();
  const checks = new Map<Cte, CheckedCte>();
  const findings = ctes.flatMap((cte) => {
    const collector = collectFindings();
    const watched = watchTexts(collector);
    const checked = checkCte(cte, surroundings, watched);
    checkGlobalCte(checked, surroundings, watched);
    checks.set(cte, checked);
    if (collector.findings.some(isError)) broken.add(cte);
    return collector.findings;
  });
  return { checks, broken, findings };
}

function isError({ code }: Finding): boolean {
  return severityOf(code) === 'error';
}

export function placeCtes(
  parts: readonly Part[],
  globals: ByPart<ReadCtes>,
  checks: ByPart<CheckedCtes>,
): PlacedCte[] {
  return parts.flatMap((part, at) =>
    (globals[at]?.ctes ?? []).map((cte) => {
      const checked = checks[at]?.checks.get(cte);
      return { cte, part, ...(checked && { checked }) };
    }),
  );
}

/** Adds findings that streams report in the texts of global CTEs. */
export function addInCtes(
  ctes: readonly PlacedCte[],
  definitions: readonly PlacedDefinition[],
  file: FileCollector,
): void {
  if (ctes.length === 0) return;
  const found = definitions.flatMap(({ globalCtes }) => globalCtes?.findings ?? []);
  const partOf = new Map(ctes.map(({ cte, part }) => [cte, part]));
  for (const { cte, finding } of found) {
    const part = partOf.get(cte);
    if (part) file.add(part, [{ ...finding, span: cte.query.place(finding.span) }]);
  }
}

/** Reports unused global CTEs. One stream is enough to use a CTE, and a CTE with an error cannot be used. */
export function checkUse(
  parts: readonly Part[],
  globals: ByPart<ReadCtes>,
  checks: ByPart<CheckedCtes>,
  definitions: readonly PlacedDefinition[],
  file: FileCollector,
): void {
  if (globals.every((read) => read === undefined)) return;
  const used = new Set(definitions.flatMap(({ globalCtes }) => [...(globalCtes?.used ?? [])]));
  for (const [at, part] of parts.entries())
    for (const cte of globals[at]?.ctes ?? [])
      if (!used.has(cte) && !globals[at]?.broken.has(cte) && !checks[at]?.broken.has(cte))
        file.inPart(part)('unused-cte', cte.nameSpan, { name: cte.name });
}
