/**
 * Makes the modules that are not committed: from `schemas/` the checks of service configs, from `docs/rules/` what
 * editors show of a code. Every script of package.json does so first, and so do the tests; what is up to date is kept.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

interface GeneratedModule {
  readonly path: string;
  /** All files that its text depends on. */
  readonly sources: readonly string[];
  /** Brings what it needs only when it is called: most often, nothing is to be made. */
  readonly render: () => Promise<string>;
}

const serviceSchema = 'schemas/service.schema.json';
const pages = globSync('docs/rules/*.md', { cwd: root }).sort();

export const generatedModules: readonly GeneratedModule[] = [
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

export async function generateModules(): Promise<void> {
  for (const module of generatedModules) {
    const head = headOf(module);
    if (isCurrent(module, head)) continue;
    const path = join(root, module.path);
    // Several processes may make it at the same time.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${head}\n${(await module.render()).trimEnd()}\n`);
    renameSync(draft, path);
  }
}

/** The first line tells by a hash of the sources whether a module is out of date. */
function headOf({ sources }: GeneratedModule): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(source).update(textOf(source));
  return `// Made by scripts/generate.ts from sources with the hash ${hash.digest('hex').slice(0, 16)}. Do not edit.`;
}

function isCurrent({ path }: GeneratedModule, head: string): boolean {
  try {
    return textOf(path).startsWith(`${head}\n`);
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

if (import.meta.main) await generateModules();
