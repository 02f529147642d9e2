/**
 * What a YAML file is, by its content: names such as `powersync.yaml` and `service.yaml` are used for sync
 * configs, for configs of the service, and by others.
 */
import { nearest } from '../text/nearest.ts';

export type FileKind = 'sync' | 'service' | 'foreign';

/** Keys that only a sync config has at its top. */
const ofSync = ['streams', 'bucket_definitions', 'event_definitions'];
/** Keys of a sync config that other files have, too. */
const maybeOfSync = ['config', 'with'];
const ofService = ['replication', 'sync_config', 'sync_rules', 'client_auth'];
const maybeOfService = ['storage', 'port', 'api', 'healthcheck', 'telemetry', 'migrations', 'system'];
const ofKubernetes = ['apiVersion', 'kind'];

/** The names under which the editor looks for sync configs: a file begun there is meant to be one. */
const syncNames = /(?:^|[/\\])(?:(?:sync|powersync)[^/\\]*|powersync[/\\][^/\\]+)\.ya?ml$/i;
const serviceNames = /(?:^|[/\\])service[^/\\]*\.ya?ml$/i;

/** `keys` are those at the top. No keys at all: the file is empty, or a word is typed that will be a key. */
export function kindOf(keys: readonly string[], fileName?: string): FileKind {
  if (keys.some((key) => ofKubernetes.includes(key))) return 'foreign';
  const sync = count(keys, ofSync);
  const service = count(keys, ofService);
  if (sync > 0 || service > 0) return sync >= service ? 'sync' : 'service';
  if (fileName !== undefined && serviceNames.test(fileName))
    return count(keys, maybeOfService) > 0 || misspells(keys, ofService) ? 'service' : 'foreign';
  const named = fileName === undefined || syncNames.test(fileName);
  if (!named) return 'foreign';
  if (count(keys, maybeOfService) > count(keys, maybeOfSync)) return 'service';
  if (keys.length === 0 || count(keys, maybeOfSync) > 0 || misspells(keys, ofSync)) return 'sync';
  if (misspells(keys, ofService)) return 'service';
  return 'foreign';
}

function count(keys: readonly string[], known: readonly string[]): number {
  return keys.filter((key) => known.includes(key)).length;
}

function misspells(keys: readonly string[], known: readonly string[]): boolean {
  return keys.some((key) => nearest(key, known) !== undefined);
}
