/**
 * Prepares an access test file with everything that it refers to: the config under test, the known tables, and the rows of its SQL
 * files.
 */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { severityOf } from '../diagnostics/diagnostics.ts';
import { applyIgnores } from '../file/ignores.ts';
import type { FileKind } from '../file/kind.ts';
import type { Config } from '../file/sync.ts';
import { oncePer } from '../ground/oncePer.ts';
import type { Catalog } from '../model/catalog.ts';
import { checkTests } from './check.ts';
import { idleExpectations } from './idleExpectations.ts';
import type { ReadTests } from './reading/readTests.ts';
import { rowId, type TestedRow } from './rowIndex.ts';
import type { Seeds } from './seeds/seeds.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile } from './testFile.ts';
import { triggerEffects } from './triggerEffects.ts';
import { unstorableRows } from './unstorableRows.ts';
import { storedValues, wholeRows } from './wholeRows.ts';

interface TestParts {
  /** The analysis of the config under test; undefined if the file does not exist. */
  readonly analysis: ConfigAnalysis | undefined;
  readonly known: KnownTables | undefined;
  /** Returns the test subject of a config, which is the same for the same config as long as the caller caches it. */
  readonly subjectOf: (config: Config) => TestSubject;
  /** The rows of the SQL files that `from` names; undefined while a database is running them. */
  readonly seeds: Seeds | undefined;
}

interface ConfigAnalysis {
  readonly kind: FileKind;
  readonly config?: Config;
  readonly findings: readonly Finding[];
}

interface KnownTables {
  readonly catalog: Catalog;
}

export interface PreparedTests {
  readonly file: TestFile;
  readonly findings: readonly Finding[];
  /**
   * Absent if the tests cannot run, either because of an error that a finding reports, or because their rows are still being
   * created.
   */
  readonly subject?: TestSubject;
  readonly catalog?: Catalog;
  readonly seeds: readonly TestedRow[];
  /** The way in which the rows of SQL files were created; absent if no file is named. */
  readonly seedsAre?: Seeds['kind'];
}

/** Prepares tests, without the findings that comments ignore. */
export function prepareTests(read: ReadTests, parts: TestParts): PreparedTests {
  const prepared = prepare(read, parts);
  const inOrder = [...prepared.findings].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  );
  return { ...prepared, findings: applyIgnores(read.text, inOrder, parts.known !== undefined) };
}

function prepare({ file, findings }: ReadTests, parts: TestParts): PreparedTests {
  const { config, schema } = file;
  const refuse = (finding?: Finding): PreparedTests => ({
    file,
    findings: finding === undefined ? findings : [...findings, finding],
    seeds: [],
  });
  if (config === undefined) return refuse();
  const { analysis, known, subjectOf } = parts;
  const refuseConfig = (reason: 'not found' | 'foreign' | 'broken'): PreparedTests =>
    refuse({ code: 'test-no-config', span: config.span, args: { reason, path: config.value } });
  if (analysis === undefined) return refuseConfig('not found');
  if (schema !== undefined && known === undefined)
    return refuse({
      code: 'test-unreadable-rows',
      span: schema.span,
      args: { path: schema.value, reason: 'it creates no tables.' },
    });
  if (analysis.kind !== 'sync' || analysis.config === undefined) return refuseConfig('foreign');
  if (analysis.findings.some(({ code }) => severityOf(code) === 'error')) return refuseConfig('broken');
  const subject = subjectOf(analysis.config);
  const { seeds } = parts;
  return {
    file: wholeRows(file, subject, known?.catalog),
    findings: [
      ...findings,
      ...seedFindings(file, seeds),
      ...checkTests(file, subject, known?.catalog),
      ...unstorableRows(file, subject, known?.catalog),
      ...triggerEffects(file, subject, known?.catalog),
      ...(seeds ? idleExpectations(file, subject, new Set(seeds.rows.map(({ table }) => table))) : []),
    ],
    ...(seeds && { subject }),
    ...(known && { catalog: known.catalog }),
    seeds: seeds === undefined ? [] : seedRows(seeds, subject, known?.catalog),
    ...(seeds && file.seeds.length > 0 && { seedsAre: seeds.kind }),
  };
}

const storedSeeds = oncePer((_: Seeds) => new WeakMap<TestSubject, readonly TestedRow[]>());

/** Returns the rows of SQL files as the source would store them. A database has already done that. */
function seedRows(seeds: Seeds, subject: TestSubject, catalog: Catalog | undefined): readonly TestedRow[] {
  if (seeds.kind === 'run') return seeds.rows;
  const known = storedSeeds(seeds);
  const rows =
    known.get(subject) ??
    seeds.rows.map((row) => {
      const values = storedValues(row.table, row.values, subject, catalog);
      return { ...row, values, id: rowId(values) };
    });
  known.set(subject, rows);
  return rows;
}

/** Returns findings at the file to which they belong, or at the first file if they belong to another script of the project. */
function seedFindings({ seeds: files }: TestFile, seeds: Seeds | undefined): readonly Finding[] {
  const [first] = files;
  if (first === undefined || seeds === undefined) return [];
  return seeds.problems.map(({ path, reason }): Finding => {
    const { value, span } = files.find(({ value }) => value === path) ?? first;
    return { code: 'test-unreadable-rows', span, args: { path: value, reason } };
  });
}
