/**
 * The kind of a YAML file, by its content. Names such as `powersync.yaml` and `service.yaml` are used for sync configs, for
 * configs of the service, and by other programs; and so are keys such as `streams` and `replication`.
 */
import { nearest } from '../text/nearest.ts';

export type FileKind = 'sync' | 'service' | 'tests' | 'foreign';

/** A key at the top of a file, and the text below it. */
interface TopEntry {
  readonly key: string;
  readonly inside: string;
}

/** The keys that sync configs share with other files. */
const maybeOfSync = ['config', 'with'];
const maybeOfService = ['storage', 'port', 'api', 'healthcheck', 'telemetry', 'migrations', 'system'];
const ofTests = ['tests', 'always'];
const ofKubernetes = ['apiVersion', 'kind'];

/** Keys that decide, with their expected content if other programs have them as well. */
const ofSync: Deciders = {
  bucket_definitions: () => true,
  streams: (inside) => startsQuery.test(inside) || hasKey(inside, streamKeys),
  event_definitions: (inside) => startsQuery.test(inside) || hasKey(inside, ['payloads']),
};
const ofService: Deciders = {
  sync_config: () => true,
  sync_rules: () => true,
  client_auth: () => true,
  replication: (inside) => hasKey(inside, ['connections']),
};

/** Whether the text below a key shows that it is ours. */
type Deciders = Readonly<Record<string, (inside: string) => boolean>>;

/** `priority` and `with` are words that anybody uses. */
const streamKeys = ['query', 'queries', 'auto_subscribe', 'accept_potentially_dangerous_queries'];
const startsQuery = /[:{,]\s*(?:[|>][+-]?\s*|["'])?(?:select|with)\s/i;

const listsQuery = /^\s*-\s+["']?select\s/im;

/** The names under which the editor looks for sync configs: a file begun there is meant to be one. */
const syncNames = /(?:^|[/\\])(?:(?:sync|powersync)[^/\\]*|powersync[/\\][^/\\]+)\.ya?ml$/i;
const testNames = /(?:^|[/\\.])sync-test\.ya?ml$/i;
const serviceNames = /(?:^|[/\\])service[^/\\]*\.ya?ml$/i;

/** No entries at all: the file is empty, or a word is typed that will be a key. */
export function kindOf(entries: readonly TopEntry[], fileName?: string): FileKind {
  const keys = entries.map(({ key }) => key);
  if (keys.some((key) => ofKubernetes.includes(key))) return 'foreign';
  const isSyncNamed = fileName !== undefined && syncNames.test(fileName);
  const sync = countOurs(entries, ofSync, isSyncNamed || hasEdition(entries));
  const service = countOurs(entries, ofService, false);
  if (sync > 0 || service > 0) return sync >= service ? 'sync' : 'service';
  if (fileName !== undefined && testNames.test(fileName)) return 'tests';
  if (count(keys, ofTests) > 0 && entries.some(namesConfig)) return 'tests';
  if (keys.some((key) => Object.hasOwn(ofSync, key) || Object.hasOwn(ofService, key))) return 'foreign';
  if (fileName !== undefined && serviceNames.test(fileName))
    return count(keys, maybeOfService) > 0 || misspells(keys, ofService) ? 'service' : 'foreign';
  if (fileName !== undefined && !isSyncNamed) return 'foreign';
  if (entries.some(isHalfTyped)) return 'sync';
  if (count(keys, maybeOfService) > count(keys, maybeOfSync)) return 'service';
  if (keys.length === 0 || count(keys, maybeOfSync) > 0 || misspells(keys, ofSync)) return 'sync';
  if (misspells(keys, ofService)) return 'service';
  return 'foreign';
}

/** `config: sync.yaml`; the `config` of others is a map. */
function namesConfig({ key, inside }: TopEntry): boolean {
  return key === 'config' && /^\W*[\w./\\ -]+\.ya?ml\W*$/i.test(inside);
}

/**
 * Counts the deciding keys that are ours: by their content; without content, only if no key of another program is next to them;
 * or because something else shows it.
 */
function countOurs(entries: readonly TopEntry[], deciders: Deciders, isOurs: boolean): number {
  let mayAllBeOurs: boolean | undefined;
  return entries.filter(({ key, inside }) => {
    const decides = Object.hasOwn(deciders, key) ? deciders[key] : undefined;
    if (decides === undefined) return false;
    const start = inside.slice(0, lengthLookedAt);
    if (isOurs || decides(start)) return true;
    if (!isBegun(start)) return false;
    mayAllBeOurs ??= entries.every(mayBeOurs);
    return mayAllBeOurs;
  }).length;
}

/** Characters: enough for a first entry with long comments, and little for a file of megabytes. */
const lengthLookedAt = 20_000;

function hasEdition(entries: readonly TopEntry[]): boolean {
  return entries.some(({ key, inside }) => key === 'config' && hasKey(inside, ['edition']));
}

const knownKeys = [...Object.keys(ofSync), ...Object.keys(ofService), ...maybeOfSync, ...maybeOfService];

function mayBeOurs({ key }: TopEntry): boolean {
  return knownKeys.includes(key) || nearest(key, knownKeys) !== undefined || key === '_type';
}

/** Shorter ones have neighbours that are words of their own: `payload`, `queue`. */
const longWord = 8;

/** Whether one of the keys is written in a block or in braces. */
function hasKey(text: string, keys: readonly string[]): boolean {
  for (const [, key = ''] of text.matchAll(/(?:^|[{,])[ \t]*(?:- +)?["']?(\w+)["']?[ \t]*:(?=\s|$)/gm)) {
    if (
      keys.some((known) => known === key || (known.length > longWord && nearest(key, [known]) !== undefined))
    )
      return true;
  }
  return false;
}

/** Nothing below the key but names, and below those words that will be keys. */
function isBegun(inside: string): boolean {
  const lines = inside.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const indents = lines.map((line) => line.search(/\S/));
  const least = indents.reduce(
    (so, indent) => (indent > 0 ? Math.min(so, indent) : so),
    Number.POSITIVE_INFINITY,
  );
  return lines.every((line, index) => ((indents[index] ?? 0) > least ? wordLine : nameLine).test(line));
}

const nameLine = /^\s*(?:\{\s*\}?|["']?[\w-]*["']?(?::\s*(?:\{\s*\})?)?|null|~)\s*(?:#.*)?$/;
const wordLine = /^\s*(?:\w*|(?:with|priority):.*)\s*(?:#.*)?$/;

function count(keys: readonly string[], known: readonly string[]): number {
  return keys.filter((key) => known.includes(key)).length;
}

/** Whether one of our keys is being typed above queries, perhaps again. */
function isHalfTyped({ key, inside }: TopEntry): boolean {
  const [word = ''] = key.split(/\s/);
  return (
    word.length > 1 &&
    Object.keys(ofSync).some((known) => known.startsWith(word)) &&
    (startsQuery.test(inside) || listsQuery.test(inside))
  );
}

function misspells(keys: readonly string[], deciders: Deciders): boolean {
  const known = Object.keys(deciders);
  return keys.some((key) => nearest(key, known) !== undefined);
}
