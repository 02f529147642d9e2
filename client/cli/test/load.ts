/** A file of access tests, with the config that it tests, what is known of the tables, and the rows of its SQL files. */
import { dirname, isAbsolute, posix } from 'node:path';
import {
  analyze,
  checkTests,
  type Finding,
  type KnownSource,
  readSqlFiles,
  readTestSeeds,
  readTests,
  severityOf,
  type TestedRow,
  type TestFile,
  type TestSubject,
  toTestSubject,
} from '../../../server/engine/index.ts';
import { joinPath } from '../../../server/uri.ts';
import { readSyncText } from '../project/syncConfig.ts';
import { readText } from '../read.ts';
import type { SchemaLookup } from '../schema.ts';
import type { World } from '../world.ts';

interface TestedConfig {
  readonly path: string;
  readonly text: string;
  readonly subject: TestSubject;
  readonly catalog: KnownSource['catalog'] | undefined;
}

export interface LoadedTests {
  readonly path: string;
  readonly text: string;
  readonly file: TestFile;
  readonly findings: readonly Finding[];
  /** Absent if it cannot be run: a finding says why. */
  readonly tested?: TestedConfig;
  readonly seeds: readonly TestedRow[];
}

export async function loadTests(path: string, world: World, lookup: SchemaLookup): Promise<LoadedTests> {
  const text = await readText(path, world.files);
  const { file, findings } = readTests(text);
  const loaded = { path, text, file, findings, seeds: [] };
  const { config } = file;
  if (config === undefined) return loaded;
  const refuse = (reason: 'not found' | 'foreign' | 'broken'): LoadedTests => ({
    ...loaded,
    findings: [
      ...findings,
      { code: 'test-no-config', span: config.span, args: { reason, path: config.value } },
    ],
  });
  const configPath = besidePath(path, config.value);
  if (!world.files.exists(configPath) || world.files.isFolder(configPath)) return refuse('not found');
  const configText = await readSyncText(configPath, world.files);
  const { schema } = file;
  const known = schema
    ? await readNamedSchema(besidePath(path, schema.value), world)
    : await lookup(configPath, configText);
  if (schema && known === undefined)
    return {
      ...loaded,
      findings: [
        ...findings,
        {
          code: 'test-unreadable-rows',
          span: schema.span,
          args: { path: schema.value, reason: 'no table is made there.' },
        },
      ],
    };
  const analysis = analyze(configText, { ...known, fileName: configPath });
  if (analysis.kind !== 'sync' || analysis.config === undefined) return refuse('foreign');
  if (analysis.findings.some(({ code }) => severityOf(code) === 'error')) return refuse('broken');
  const subject = toTestSubject(analysis.config);
  const seeds = await readSeedFiles(path, file, known, world);
  return {
    ...loaded,
    findings: [...findings, ...seeds.findings, ...checkTests(file, subject, known?.catalog)],
    tested: { path: configPath, text: configText, subject, catalog: known?.catalog },
    seeds: seeds.rows,
  };
}

export function besidePath(path: string, named: string): string {
  return isAbsolute(named) ? named : posix.normalize(joinPath(dirname(path), named));
}

async function readNamedSchema(path: string, { files }: World): Promise<KnownSource | undefined> {
  const names = files.isFolder(path)
    ? (await files.list(path)).filter((name) => /\.sql$/i.test(name)).map((name) => joinPath(path, name))
    : [path];
  const read = names.filter((name) => files.exists(name));
  return readSqlFiles(
    await Promise.all(read.map(async (name) => ({ path: name, text: await readText(name, files) }))),
  );
}

async function readSeedFiles(
  path: string,
  { seeds }: TestFile,
  known: KnownSource | undefined,
  { files }: World,
): Promise<{ readonly rows: readonly TestedRow[]; readonly findings: readonly Finding[] }> {
  const rows: TestedRow[] = [];
  const findings: Finding[] = [];
  for (const { value, span } of seeds) {
    const from = besidePath(path, value);
    const refuse = (reason: string): void => {
      findings.push({ code: 'test-unreadable-rows', span, args: { path: value, reason } });
    };
    if (!files.exists(from)) {
      refuse('there is no such file.');
      continue;
    }
    const read = readTestSeeds(await readText(from, files), known?.catalog, known?.defaultSchema);
    for (const row of read.rows) rows.push(row);
    if (read.problem !== undefined) refuse(read.problem);
  }
  return { rows, findings };
}
