/**
 * Generates the files that are not committed: the validator of service configs from `schemas/`, the explanations of codes in
 * editors from `docs/rules/`, and the empty cluster of the embedded database. Every script of package.json and every test run does
 * this first. Files that are up to date are kept.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyClusterPath } from '../server/service/replication/embedded/database/clusterFile.ts';
import { root } from './root.ts';

interface GeneratedFile<Content = string | Uint8Array> {
  readonly path: string;
  /** All files on which the content depends. */
  readonly sources: readonly string[];
  /** Renders the content. It imports its dependencies only when it is called, because normally nothing has to be generated. */
  readonly render: () => Promise<Content>;
}

const serviceSchema = 'schemas/service.schema.json';
const pages = globSync('docs/rules/*.md', { cwd: root }).sort();

export const generatedModules: readonly GeneratedFile<string>[] = [
  {
    path: 'server/engine/service/schema.generated.mjs',
    sources: [serviceSchema, 'scripts/bundles/validator.ts', 'package-lock.json'],
    render: async () => (await import('./bundles/validator.ts')).renderValidator(textOf(serviceSchema)),
  },
  {
    path: 'server/features/explain/reasons.generated.mjs',
    sources: [...pages, 'scripts/pages/ruleText.ts'],
    render: async () => (await import('./pages/ruleText.ts')).renderReasons(),
  },
];

/** Creating the empty cluster takes four seconds. */
const emptyCluster: GeneratedFile<Uint8Array> = {
  path: emptyClusterPath,
  sources: [
    'node_modules/@electric-sql/pglite/package.json',
    'scripts/bundles/emptyCluster.ts',
    'server/service/replication/embedded/database/clusterFile.ts',
  ],
  render: async () => (await import('./bundles/emptyCluster.ts')).renderEmptyCluster(),
};

export async function generateFiles(): Promise<void> {
  for (const file of [...generatedModules, emptyCluster]) {
    const head = headOf(file);
    if (isCurrent(file, head)) continue;
    const path = join(root, file.path);
    // Several processes may generate the file at the same time.
    const draft = `${path}.${process.pid}`;
    const content = await file.render();
    const bytes = typeof content === 'string' ? Buffer.from(`${content.trimEnd()}\n`) : content;
    writeFileSync(draft, Buffer.concat([Buffer.from(`${head}\n`), bytes]));
    renameSync(draft, path);
  }
}

/** Returns the first line, which contains a hash of the sources and so shows whether a file is outdated. */
function headOf({ sources }: GeneratedFile): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(source).update(textOf(source));
  return `// Made by scripts/generate.ts from sources with the hash ${hash.digest('hex').slice(0, 16)}. Do not edit.`;
}

function isCurrent({ path }: GeneratedFile, head: string): boolean {
  try {
    return textOf(path).startsWith(`${head}\n`);
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

if (import.meta.main) await generateFiles();
