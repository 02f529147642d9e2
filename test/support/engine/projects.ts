/** Sync configs from the disk, with the schemas of their projects. Measurements of the editor use them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { analyze, findSchemaFor, readScripts } from '../../../server/engine/index.ts';
import { isSchemaFile } from '../../../server/shared/places.ts';
import type { FinishedConfig } from './wanted.ts';

/** Returns the sync configs of all projects in a folder, without repeated texts. */
export function projectsIn(folder: string): readonly FinishedConfig[] {
  const configs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => configsOf(join(folder, name), name));
  return [...new Map(configs.map((config) => [config.text, config])).values()];
}

function configsOf(root: string, project: string): FinishedConfig[] {
  const files = filesBelow(root).map((path) => ({
    path: relative(root, path).split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }));
  const scripts = files.filter(({ path }) => isSchemaFile(path));
  return files
    .filter(({ path }) => /\.ya?ml$/.test(path))
    .flatMap(({ path, text }) => {
      const read = analyze(text, { fileName: path });
      if (read.kind !== 'sync' || read.config === undefined) return [];
      const source = readScripts(findSchemaFor(read.config, scripts, path).scripts);
      const input = { fileName: path, ...(source && { catalog: source.catalog }) };
      return [{ name: `${project}/${path}`, text, input }];
    });
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
