/** Moves the sync config in a service config into its own file, and back. */
import { columnOf } from '../../../engine/text/lines.ts';
import { span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import type { YamlMap, YamlPair } from '../../../engine/yaml/nodes.ts';
import { analyzeAgain } from '../../reading/again.ts';
import type { Action } from '../action.ts';
import { entryNamed } from '../yamlEdits.ts';
import type { ActionPlace } from './place.ts';

/** The files near this one, by their paths relative to its folder. */
export interface FilesBeside {
  readonly exists: (path: string) => boolean;
  /** Returns undefined if the file cannot be read or has not been read yet. */
  readonly text: (path: string) => string | undefined;
}

export function contentToFile({ analysis, selection }: ActionPlace, files: FilesBeside): readonly Action[] {
  const found = entryAt({ analysis, selection }, 'content');
  if (found?.pair.value.kind !== 'scalar' || found.pair.value.text.trim() === '') return [];
  const { key, value } = found.pair;
  const path = unusedPath(files);
  const edits = [{ span: span(key.span.start, value.span.end), text: `path: ${path}` }];
  const text = found.pair.value.text.replaceAll('\n', endOfLineOf(analysis.text));
  const title = `Move the sync config to ${path}`;
  return [{ title, kind: 'refactor.extract', edits, creates: { path, text } }];
}

export function fileToContent({ analysis, selection }: ActionPlace, files: FilesBeside): readonly Action[] {
  const found = entryAt({ analysis, selection }, 'path');
  if (found?.pair.value.kind !== 'scalar' || found.map.flow || entryNamed(found.map, 'content')) return [];
  const { key, value } = found.pair;
  const text = found.pair.value.tag === undefined ? files.text(found.pair.value.text) : undefined;
  if (text === undefined || text.includes('\t')) return [];
  const lineBreak = endOfLineOf(analysis.text);
  const indent = ' '.repeat(columnOf(analysis.text, key.span.start) + 2);
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  const block = ['content: |', ...lines.map((line) => (line === '' ? '' : indent + line))].join(lineBreak);
  const edits = [{ span: span(key.span.start, value.span.end), text: block }];
  const after = analyzeAgain(analysis, edits);
  const isRead = entryAt({ analysis: after, selection }, 'content')?.pair.value;
  if (isRead?.kind !== 'scalar' || isRead.text.trimEnd() !== lines.join('\n')) return [];
  return [{ title: 'Write the sync config into this file', kind: 'refactor.inline', edits }];
}

/** Returns the path of the sync config if it is written at the place. */
export function pathAt(place: ActionPlace): string | undefined {
  const value = entryAt(place, 'path')?.pair.value;
  return value?.kind === 'scalar' && value.tag === undefined ? value.text : undefined;
}

function entryAt(
  { analysis, selection }: ActionPlace,
  name: string,
): { readonly map: YamlMap; readonly pair: YamlPair } | undefined {
  const root = analysis.service?.places.get('')?.node;
  const section =
    root?.kind === 'map' ? (entryNamed(root, 'sync_config') ?? entryNamed(root, 'sync_rules')) : undefined;
  if (section?.value.kind !== 'map' || section.key.span.start > selection.end) return undefined;
  const isInside =
    nodesAt(section.value, selection.start).length > 0 || selection.start <= section.key.span.end;
  const pair = entryNamed(section.value, name);
  return isInside && pair ? { map: section.value, pair } : undefined;
}

function unusedPath({ exists }: FilesBeside): string {
  let path = 'sync-config.yaml';
  for (let count = 2; exists(path); count++) path = `sync-config-${count}.yaml`;
  return path;
}
