/** The engine turns any text into an {@link Analysis}. */
import type { Finding } from './diagnostics/diagnostics.ts';
import { conflictIn } from './file/conflict.ts';
import { collectInFile } from './file/findings.ts';
import { applyIgnores } from './file/ignores.ts';
import { type FileKind, kindOf } from './file/kind.ts';
import { analyzeSync, type Config, type Memory } from './file/sync.ts';
import type { Catalog } from './model/catalog.ts';
import { analyzeService } from './service/analyze.ts';
import type { ServiceReading } from './service/places.ts';
import type { ServiceWorld } from './service/world.ts';
import type { Part } from './yaml/parts.ts';
import { readYaml } from './yaml/read.ts';
import { findSections, type TopSection, topLevelEntries } from './yaml/split.ts';

export type { KnownSource } from './catalog/reading.ts';
export { readServiceSchema } from './catalog/serviceSchema.ts';
export { readSnapshot } from './catalog/snapshot.ts';
export type { SyncedTable } from './clientTables.ts';
export { clientTablesOf } from './clientTables.ts';
export type { Finding, Severity } from './diagnostics/diagnostics.ts';
export { isCode, messageOf, severityOf, titleOf } from './diagnostics/diagnostics.ts';
export { conflictIn } from './file/conflict.ts';
export type { PlacedDefinition } from './file/definitions.ts';
export type { FileKind } from './file/kind.ts';
export { mentionLeft, shorten, worstOf } from './file/shorten.ts';
export type { Config } from './file/sync.ts';
export { plansOf } from './file/sync.ts';
export { type ConfigMap, syncMapOf } from './map/map.ts';
export { migrateToStreams as migrate } from './migrate/migrate.ts';
export { userIdColumnOf } from './names/userIds.ts';
export { matchesTable } from './plan/evaluate/patterns.ts';
export { tableNamed } from './plan/evaluate/scope.ts';
export type { RequestTrace } from './plan/evaluate/traceRequest.ts';
export type { RuleTrace } from './plan/evaluate/traceRow.ts';
export { requestReads } from './plan/requestReads.ts';
export { nameOfPattern } from './plan/tablePatterns.ts';
export { selectRecord, selectRecords } from './plan/values/postgres/record.ts';
export type {
  FoundSchema,
  MissingName,
  RunScripts,
  ScriptSource,
  TablesOfScripts,
} from './projectSchema.ts';
export {
  afterRun,
  findSchemaFor,
  missingIn,
  patternsReadBy,
  readScripts,
  sourceTablesOf,
  tablesReadBy,
  withFileKnowledge,
} from './projectSchema.ts';
export { type Absence, absencesOf } from './reasons/absence.ts';
export { rowSentences } from './reasons/rowSentences.ts';
export { readsOtherSources, runnableTypes } from './service/connections.ts';
export { isHostName } from './service/consoleHosts.ts';
export { quoteName } from './sql/names.ts';
export { readSqlFiles } from './sqlFiles.ts';
export { type AffectedUser, affectedUsers, judgedStreams } from './tests/affectedUsers.ts';
export { claimFunctions } from './tests/claimFunctions.ts';
export { compareRows, type RowDifference, type UserRows } from './tests/compareRows.ts';
export { type CoveredCondition, coverTests, type StreamCoverage } from './tests/coverage.ts';
export { explainTests } from './tests/explainTests.ts';
export type { TestFailure, TestOutcome } from './tests/outcomes.ts';
export { type PreparedTests, prepareTests } from './tests/prepare.ts';
export { readTests } from './tests/reading/readTests.ts';
export { answerFrom, type TestedRow } from './tests/rowIndex.ts';
export type { TestWorld } from './tests/run.ts';
export { runTests } from './tests/run.ts';
export { type AccessComparison, compareAccess } from './tests/search/access.ts';
export {
  type ClaimAnswer,
  type ClaimJudge,
  type ClaimQuestion,
  sourceColumns,
} from './tests/search/always.ts';
export { valueForClaim } from './tests/search/claim.ts';
export { type ClaimResult, type ClaimsOfFile, type ClaimVerdict, openClaims } from './tests/search/claims.ts';
export {
  type DescribedComparison,
  describeAccess,
  describeComparison,
} from './tests/search/describeAccess.ts';
export { limitsText, modelAssumptions, modelLimits } from './tests/search/model.ts';
export { finish } from './tests/search/search.ts';
export { writeTest } from './tests/search/writeTest.ts';
export {
  noSeeds,
  type RunSeeds,
  readSeedFiles,
  type SeedFile,
  type SeedQuestion,
  type Seeds,
  seedTextsOf,
  toSeeds,
} from './tests/seeds/seeds.ts';
export { storedValue } from './tests/stored/storedValue.ts';
export { toTestSubject } from './tests/subject.ts';
export type { TestFile } from './tests/testFile.ts';
export { writeExpectations } from './tests/update.ts';
export { applyEdits } from './text/edit.ts';
export type { Position } from './text/lines.ts';
export { positionsIn } from './text/lines.ts';
export { nearest } from './text/nearest.ts';
export type { LookupAnswer, Row, SourceRow, Tracing } from './trace.ts';
export { documentOf, jsonValue, readRow, traceConfig, writeRow } from './trace.ts';
export {
  columnsWithClaim,
  isSameClaim,
  selectUsers,
  type UserClaim,
  userClaimOf,
  userIdClaim,
  usersTableOf,
} from './users.ts';
export type { Part } from './yaml/parts.ts';

export interface AnalyzeInput {
  readonly catalog?: Catalog | undefined;
  /** The schema of unqualified table names; default: `public`. */
  readonly defaultSchema?: string | undefined;
  /** The kind, if the caller knows it; otherwise, the content and the file name decide. */
  readonly kind?: FileKind | undefined;
  /** A file path, or the path of a URI. It is only a hint, and only its end matters. */
  readonly fileName?: string | undefined;
  /** The files that a service config names, as far as they are known. */
  readonly files?: Pick<ServiceWorld, 'exists'> | undefined;
  /** An analysis of an earlier version of the same file, from which unchanged parts are reused. */
  readonly previous?: Analysis | undefined;
}

export interface Analysis {
  readonly text: string;
  readonly kind: FileKind;
  /** The findings in reading order, without duplicates. Their spans are offsets in the text. Foreign files have no findings. */
  readonly findings: readonly Finding[];
  /** Present only for a sync config. */
  readonly config?: Config;
  /** Present only for a service config. */
  readonly service?: ServiceReading;
  /** The source that a service config names, for the sync config inside the file. Absent for other files. */
  readonly source?: Pick<AnalyzeInput, 'catalog' | 'defaultSchema'>;
  /** The data that the next analysis of the file can reuse. */
  readonly memory?: Memory;
}

export function analyze(text: string, input: AnalyzeInput = {}): Analysis {
  const analysis = analyzeAll(text, input);
  if (analysis.kind === 'foreign' || analysis.kind === 'tests') return analysis;
  const conflict = conflictIn(text);
  // A conflict is the only finding, because findings between two versions of a text belong to neither version.
  if (conflict !== undefined) return { ...analysis, findings: [conflict] };
  return { ...analysis, findings: applyIgnores(text, analysis.findings, input.catalog !== undefined) };
}

/** Analyses a text without removing ignored findings. */
function analyzeAll(text: string, input: AnalyzeInput): Analysis {
  const topLevel = findSections(text);
  const kind = input.kind ?? findKind(text, topLevel, input.fileName);
  // Access tests are analysed together with the config that they test, in `tests/`.
  if (kind === 'foreign' || kind === 'tests') return { text, kind, findings: [] };
  const { catalog, defaultSchema = 'public', previous } = input;
  if (kind === 'service')
    return { text, kind, ...serviceOf(text, input), source: { catalog, defaultSchema } };
  return { text, kind, ...analyzeSync(text, { catalog, defaultSchema, memory: previous?.memory }, topLevel) };
}

function serviceOf(text: string, { files, ...input }: AnalyzeInput): Pick<Analysis, 'findings' | 'service'> {
  const whole: Part = { base: 0, reading: readYaml(text), path: [], heading: false };
  const { findings, service } = analyzeService(whole.reading, {
    ...files,
    findInSyncConfig: (content) =>
      analyzeAll(content, { ...input, kind: 'sync', previous: undefined }).findings,
  });
  const collector = collectInFile(text, [whole]);
  collector.add(whole, findings);
  return { findings: collector.inOrder(), ...(service && { service }) };
}

function findKind(
  text: string,
  sections: readonly TopSection[] | undefined,
  fileName: string | undefined,
): FileKind {
  if (sections !== undefined) {
    return kindOf(
      topLevelEntries(text, sections).map(({ key, start, end }) => ({ key, inside: text.slice(start, end) })),
      fileName,
    );
  }
  const { root } = readYaml(text);
  if (root === undefined || root.kind === 'scalar') return kindOf([], fileName);
  if (root.kind !== 'map') return 'foreign';
  return kindOf(
    root.pairs.flatMap(({ key, value: { span } }) =>
      key.kind === 'scalar' ? [{ key: key.text, inside: text.slice(span.start, span.end) }] : [],
    ),
    fileName,
  );
}
