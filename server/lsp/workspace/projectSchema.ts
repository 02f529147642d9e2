/** Finds the files that create the tables of a project's sync config. Diagnostics and `headwater dev` use the same files. */
import { type Analysis, analyze, findSchemaFor } from '../../engine/index.ts';
import { compareTexts } from '../../engine/text/order.ts';
import type { ProjectSchemaParams, ProjectSchemaResult } from '../../protocol.ts';
import { isConfigName, isSchemaFile, syncConfigNames } from '../../shared/places.ts';
import { isSameUri, isWithin, namesIn, pathFrom, type Uri, wholePath } from '../../shared/uri.ts';
import type { Host } from '../host/host.ts';
import type { Folders } from './folders.ts';

interface ProjectParts {
  readonly folders: Pick<Folders, 'folderOf' | 'texts'>;
  /** Returns the text of an open document, saved or not. */
  readonly textOf: (uri: Uri) => string | undefined;
  readonly host: Pick<Host, 'readUri'>;
}

export function projectSchemaOf(
  { folder, config }: ProjectSchemaParams,
  { folders: { folderOf, texts }, textOf, host: { readUri } }: ProjectParts,
): ProjectSchemaResult {
  const root = folderOf(readUri(folder));
  const inFolder = [...texts().values()].flatMap(({ uri, text }) => {
    const path = isSameUri(folderOf(uri), root) ? pathFrom(root, uri) : undefined;
    return path === undefined ? [] : [{ uri, path, text }];
  });
  const asked = config === undefined ? undefined : readUri(config);
  const candidates = [
    ...(asked === undefined || !isWithin(root, asked) ? [] : [asked]),
    ...inFolder
      .filter(({ path }) => isConfigName(path))
      .toSorted((a, b) => rankOf(a.path) - rankOf(b.path) || compareTexts(a.path, b.path))
      .map(({ uri }) => uri),
  ];
  const found = firstSyncConfig(candidates, (each) => textOf(each) ?? texts().get(each.key)?.text);
  const scripts = inFolder.filter(({ path }) => isSchemaFile(path));
  const configPath = found === undefined ? '' : (pathFrom(root, found.uri) ?? '');
  const { paths } = findSchemaFor(found?.analysis.config, scripts, configPath);
  return { paths };
}

interface FoundConfig {
  readonly uri: Uri;
  readonly analysis: Analysis;
}

function firstSyncConfig(
  uris: readonly Uri[],
  textOf: (uri: Uri) => string | undefined,
): FoundConfig | undefined {
  for (const uri of uris) {
    const text = textOf(uri);
    const analysis = text === undefined ? undefined : analyze(text, { fileName: wholePath(uri) });
    if (analysis?.kind === 'sync') return { uri, analysis };
  }
  return undefined;
}

/** Ranks a path: the usual names come first, then the paths with the fewest folders. */
function rankOf(path: string): number {
  const usual = ['powersync/', ''].flatMap((folder) => syncConfigNames.map((name) => `${folder}${name}`));
  const at = usual.indexOf(path);
  return at < 0 ? usual.length + namesIn(path).length : at;
}
