/**
 * Determines the kind of a YAML file by its content. Names alone are not enough: sync configs, service configs and files of other
 * programs use names such as `powersync.yaml` and `service.yaml`, and keys such as `streams` and `replication`.
 */
import { nearest } from '../text/nearest.ts';

export type FileKind = 'sync' | 'service' | 'tests' | 'foreign';

/** A top-level key and the text below it. */
interface TopEntry {
  readonly key: string;
  readonly inside: string;
}

/** Keys that both sync configs and other files may have. */
const maybeOfSync = ['config', 'with'];
const maybeOfService = ['storage', 'port', 'api', 'healthcheck', 'telemetry', 'migrations', 'system'];
const ofTests = ['tests', 'always'];
const ofKubernetes = ['apiVersion', 'kind'];

/** The deciding keys of a sync config. Keys that other programs also use have a check of their content. */
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

/** Checks by key whether the text below the key belongs to one of our files. */
type Deciders = Readonly<Record<string, (inside: string) => boolean>>;

/** Keys of a stream. `priority` and `with` are not among them, because other programs use these words as well. */
const streamKeys = ['query', 'queries', 'auto_subscribe', 'accept_potentially_dangerous_queries'];
const startsQuery = /[:{,]\s*(?:[|>][+-]?\s*|["'])?(?:select|with)\s/i;

const listsQuery = /^\s*-\s+["']?select\s/im;

/** Names under which the editor looks for sync configs. A new file with such a name is probably intended to be one. */
const syncNames = /(?:^|[/\\])(?:(?:sync|powersync)[^/\\]*|powersync[/\\][^/\\]+)\.ya?ml$/i;
const testNames = /(?:^|[/\\.])sync-test\.ya?ml$/i;
const serviceNames = /(?:^|[/\\])service[^/\\]*\.ya?ml$/i;

/** Returns the kind of a file. A file without entries is empty, or contains only a word that will become a key. */
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

/** Whether an entry is like `config: sync.yaml`. In other programs, `config` is a map. */
function namesConfig({ key, inside }: TopEntry): boolean {
  return key === 'config' && /^\W*[\w./\\ -]+\.ya?ml\W*$/i.test(inside);
}

/**
 * Counts the deciding keys that are ours. A key with content is judged by its content. A key without content counts only if no key
 * of another program is next to it, or if something else shows that the file is ours.
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

/** The number of characters to examine: enough for a first entry with long comments, but little for a file of several megabytes. */
const lengthLookedAt = 20_000;

function hasEdition(entries: readonly TopEntry[]): boolean {
  return entries.some(({ key, inside }) => key === 'config' && hasKey(inside, ['edition']));
}

const knownKeys = [...Object.keys(ofSync), ...Object.keys(ofService), ...maybeOfSync, ...maybeOfService];

function mayBeOurs({ key }: TopEntry): boolean {
  return knownKeys.includes(key) || nearest(key, knownKeys) !== undefined || key === '_type';
}

/**
 * The minimum length of a word for a comparison with similar words. Shorter words have neighbours with their own meaning, such as
 * `payload` and `queue`.
 */
const longWord = 8;

/** Whether one of the keys is present, in block style or in braces. */
function hasKey(text: string, keys: readonly string[]): boolean {
  for (const [, key = ''] of text.matchAll(/(?:^|[{,])[ \t]*(?:- +)?["']?(\w+)["']?[ \t]*:(?=\s|$)/gm)) {
    if (
      keys.some((known) => known === key || (known.length > longWord && nearest(key, [known]) !== undefined))
    )
      return true;
  }
  return false;
}

/** Whether only names are below the key, and only words that will become keys are below the names. */
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

/** Whether one of our keys is being typed above queries. It may also be a key that exists already. */
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
