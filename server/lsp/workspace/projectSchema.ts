/** The files that make the tables of a project's sync config: the same that diagnostics and `headwater dev` go by. */
import { type Analysis, analyze, findSchemaFor, nameOfPattern } from '../../engine/index.ts';
import { isConfigName, isSchemaFile, syncConfigNames } from '../../places.ts';
import type { ProjectSchemaParams, ProjectSchemaResult } from '../../protocol.ts';
import { pathFrom } from '../host/wanted.ts';
import type { Folders } from './folders.ts';

/** @param textOf a document that is open, whether it is saved or not */
export function projectSchemaOf(
  { folder, config }: ProjectSchemaParams,
  { folderOf, texts }: Pick<Folders, 'folderOf' | 'texts'>,
  textOf: (uri: string) => string | undefined,
): ProjectSchemaResult {
  const root = folderOf(folder.endsWith('/') ? folder : `${folder}/`);
  const inFolder = [...texts()]
    .filter(([uri]) => folderOf(uri) === root)
    .map(([uri, text]) => ({ uri, path: pathFrom(root, uri), text }));
  const candidates = [
    ...(config === undefined || !config.startsWith(root) ? [] : [config]),
    ...inFolder
      .filter(({ path }) => isConfigName(path))
      .toSorted((a, b) => rankOf(a.path) - rankOf(b.path) || compare(a.path, b.path))
      .map(({ uri }) => uri),
  ];
  const { uri, analysis } = firstSyncConfig(candidates, (each) => textOf(each) ?? texts().get(each)) ?? {};
  const scripts = inFolder.filter(({ path }) => isSchemaFile(path));
  const configPath = uri === undefined ? '' : pathFrom(root, uri);
  const { paths, missing } = findSchemaFor(analysis?.config, scripts, configPath);
  return { paths, missing: missing.map(nameOfPattern) };
}

interface FoundConfig {
  readonly uri: string;
  readonly analysis: Analysis;
}

function firstSyncConfig(
  uris: readonly string[],
  textOf: (uri: string) => string | undefined,
): FoundConfig | undefined {
  for (const uri of uris) {
    const text = textOf(uri);
    const analysis = text === undefined ? undefined : analyze(text, { fileName: uri });
    if (analysis?.kind === 'sync') return { uri, analysis };
  }
  return undefined;
}

/** The usual names come first, and then what is less deep. */
function rankOf(path: string): number {
  const usual = ['powersync/', ''].flatMap((folder) => syncConfigNames.map((name) => `${folder}${name}`));
  const at = usual.indexOf(path);
  return at < 0 ? usual.length + path.split('/').length : at;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
