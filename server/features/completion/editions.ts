/** Selects the keys that the edition of a sync config supports and that are compatible with the other keys of the map. */
import type { Analysis } from '../../engine/index.ts';
import type { Edition } from '../../engine/model/definition.ts';
import type { WordPlace } from '../../engine/yaml/outline/outline.ts';

/** The editions that support a key, for keys that some editions do not support. The key is the pattern of its path. */
const editionsOf: ReadonlyMap<string, readonly Edition[]> = new Map([
  ['/streams', [2, 3]],
  ['/with', [3]],
  ['/bucket_definitions', [1, 2]],
  ['/streams/*/with', [3]],
  ['/streams/*/queries', [3]],
  ['/config/unstable_sqlite_expression_engine', [3]],
]);

/** Groups of keys of which a map can have only one. */
const alternatives: readonly (readonly string[])[] = [
  ['query', 'queries'],
  ['path', 'content'],
  ['sync_config', 'sync_rules'],
];

export function isLegal(analysis: Analysis, place: WordPlace, name: string): boolean {
  const siblings = place.siblings();
  if (alternatives.some((keys) => keys.includes(name) && keys.some((key) => siblings.has(key)))) return false;
  const [top] = place.path;
  const isWritten = (top?.siblings ?? place.siblings)().has('config') || top?.key === 'config';
  const edition = analysis.config?.surroundings.options.edition;
  if (!isWritten || edition === undefined) return true;
  const keys = place.path.map(({ key }, index) => (index === 1 ? '*' : (key ?? '-')));
  const editions = editionsOf.get(`/${[...keys, name].join('/')}`);
  return editions === undefined || editions.includes(edition);
}
