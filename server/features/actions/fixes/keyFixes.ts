/** Repairs of keys that are unknown, missing, duplicated or unused. */
import { shiftEdits } from '../../../engine/text/edit.ts';
import { span } from '../../../engine/text/span.ts';
import type { YamlNode } from '../../../engine/yaml/nodes.ts';
import { keyFor } from '../../reading/writing.ts';
import type { Fix, Fixes, Subject } from '../fix.ts';
import { isSame, sure } from '../sqlEdits.ts';
import { entryNamed, insertingKey, mapIn, pairOf, removingPair, settingText } from '../yamlEdits.ts';
import { looksMisspelt } from './meant.ts';

export const keyFixes: Fixes = {
  'unknown-key': (subject) => [
    ...renameKey(subject, subject.finding.args.near ?? keyMeant(subject)),
    ...indentKey(subject),
    ...removeKey(subject),
  ],
  'service-unknown-key': (subject) => [
    ...renameKey(subject, subject.finding.args.near),
    ...removeKey(subject),
  ],
  'service-ignored-key': removeKey,
  'service-path-and-content': removeKey,
  'service-sync-config-twice': removeKey,
  'service-cacert-unused': removeKey,
  'yaml-duplicate-key': removeKey,
  'duplicate-definition': ({ part, path, finding }) => {
    const key = path.at(-1)?.node;
    if (key?.kind !== 'scalar') return [];
    const name = `${finding.args.name}_2`;
    return [{ title: `Rename to ${name}`, edits: settingText(part, key, name) }];
  },
  'missing-key': (subject) => addKey(subject, 'data: []', 'Add data'),
  'unauthenticated-parameter': (subject) =>
    addKey(
      subject,
      'accept_potentially_dangerous_queries: true',
      'Accept that every client can choose these rows',
    ),
  'default-stream-with-subscription-parameter': (subject) =>
    removeEntry(subject, 'auto_subscribe', 'Let clients subscribe'),
  'priority-set-twice': (subject) => removeEntry(subject, 'priority', 'Keep the priorities of the queries'),
  'parameters-unresolved': (subject) => {
    const map = mapIn(subject.path);
    const pair = map && entryNamed(map, 'parameters');
    const isEmpty = pair?.value.kind === 'sequence' && pair.value.items.length === 0;
    return isEmpty ? removeEntry(subject, 'parameters', 'Remove the empty parameters') : [];
  },
  'unused-cte': (subject) => {
    const isMeant = looksMisspelt(subject.analysis, subject.finding.args.name);
    return removeKey(subject).map((fix) => ({ ...fix, title: 'Remove the CTE', ...(isMeant ? {} : sure) }));
  },
};

function renameKey({ part, path, at }: Subject, near: string | undefined): readonly Fix[] {
  const key = path.at(-1)?.node;
  if (near === undefined || key?.kind !== 'scalar' || !isSame(key.span, at)) return [];
  const edits = shiftEdits([{ span: key.span, text: keyFor(near) }], part.base);
  return [{ title: `Write ${near}`, edits, ...sure }];
}

/** Indents a name that is level with `streams:` but was meant to be below it. */
function indentKey({ part, path, at, analysis }: Subject): readonly Fix[] {
  const found = path.findLast(({ node, pair }) => isSame(node.span, at) && pair !== undefined);
  const start = part.base + at.start;
  const before = analysis.text.slice(0, start);
  const above = /(?:^|\n)(streams|bucket_definitions|event_definitions):[ \t]*(?:\r?\n[ \t]*)*\r?\n$/.exec(
    before,
  )?.[1];
  if (found?.pair === undefined || above === undefined) return [];
  const end = part.base + found.pair.value.span.end;
  const edits = [...analysis.text.slice(start, end).matchAll(/^(?=.*\S)/gm)].map(({ index }) => ({
    span: span(start + index, start + index),
    text: '  ',
  }));
  return [{ title: `Move under ${above}`, edits, ...sure }];
}

/** Returns the key of a stream that replaces a key of bucket definitions or of other formats. */
function keyMeant({ path, finding }: Subject<{ readonly key: string }>): string | undefined {
  const value = path.at(-1)?.pair?.value;
  if (finding.args.key === 'data') return value?.kind === 'sequence' ? 'queries' : 'query';
  return /^(?:sql|select|statement)$/i.test(finding.args.key) ? 'query' : undefined;
}

/** Removes the key, and also its parent key if nothing else is there. */
function removeKey({ part, path, at }: Subject): readonly Fix[] {
  const index = path.findLastIndex(({ node, pair }) => isSame(node.span, at) && pair !== undefined);
  const found = path[index];
  const place = found && pairOf(found);
  if (!place) return [];
  const title = `Remove ${nameOf(place.pair.key)}`.trim();
  const outer = path.slice(0, index).findLast(({ node }) => node === place.map);
  const above = outer && pairOf(outer);
  if (place.map.pairs.length === 1 && above)
    return [{ title, edits: removingPair(part, above.map, above.pair) }];
  return [{ title, edits: removingPair(part, place.map, place.pair) }];
}

function nameOf(key: YamlNode): string {
  return key.kind === 'scalar' ? key.text : '';
}

function addKey({ part, path }: Subject, entry: string, title: string): readonly Fix[] {
  const map = mapIn(path);
  return map ? [{ title, edits: insertingKey(part, map, entry) }] : [];
}

function removeEntry({ part, path }: Subject, name: string, title: string): readonly Fix[] {
  const map = mapIn(path);
  const pair = map && entryNamed(map, name);
  return map && pair ? [{ title, edits: removingPair(part, map, pair) }] : [];
}

/** Removes the separator line before a second document. */
export const documentFixes: Fixes = {
  'yaml-multiple-documents': ({ analysis, finding }) => {
    const { start } = finding.span;
    const end = analysis.text.indexOf('\n', start);
    const at = span(start, end < 0 ? analysis.text.length : end + 1);
    return analysis.text.startsWith('---', start)
      ? [{ title: 'Remove the separator', edits: [{ span: at, text: '' }] }]
      : [];
  },
};
