/**
 * The config of a local service: either a config of its own, or the project's `service.yaml`, in which the parts for other
 * deployments are replaced. Secrets are only named by variables, which the process receives, and are never written.
 */
import {
  Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { t } from '../l10n.ts';
import { localAudience, localKeyId, variables } from './localNames.ts';
import { isOwnVariable } from './trust.ts';

interface LocalConfig {
  /** The folder for all data of the service. */
  readonly storage: string;
  readonly port: number;
  readonly source: LocalSource;
  /** Whether a variable in the config has a value. Keys with unset variables are removed. Absent: all variables count as set. */
  readonly isSet?: (variable: string) => boolean;
}

/** The source of the rows. */
export type LocalSource =
  /** The embedded database. SQL files and folders create its tables in this order. */
  | (EmbeddedSource & { readonly kind: 'embedded' })
  /** The source in the project's config. If there is none, the embedded database. */
  | (EmbeddedSource & { readonly kind: 'configured' })
  /** A PostgreSQL database whose address is in {@link variables}. */
  | { readonly kind: 'address'; readonly isEncrypted: boolean };

interface EmbeddedSource {
  readonly schema: readonly string[];
  /** Whether a new database gets the rows of the SQL files with seed data. Absent: true. */
  readonly seed?: boolean;
}

/** Keys that the caller sets, or that would prevent deploys. */
const replaced = ['sync_config', 'sync_rules', 'port', 'host', 'healthcheck', 'telemetry', 'storage', 'api'];

/** @param base the text of a service config; throws a sentence if it is not YAML */
export function localConfig(base: string | undefined, wanted: LocalConfig): string {
  return madeConfig(readBase(base ?? ''), wanted).toString({ lineWidth: 0 });
}

/** Returns the places of the local config's values in the base, by their JSON pointers: line and column, as in `7:13`. */
export function placesInBase(base: string, wanted: LocalConfig): Readonly<Record<string, string>> {
  const lines = new LineCounter();
  const places: Record<string, string> = {};
  const note = (node: unknown, pointer: string): void => {
    if (!isNode(node)) return;
    if (node.range) {
      const { line, col } = lines.linePos(node.range[0]);
      places[pointer] = `${line}:${col}`;
    }
    if (isMap(node))
      for (const { key, value } of node.items) note(value, `${pointer}/${isScalar(key) ? key.value : key}`);
    if (isSeq(node)) for (const [index, item] of node.items.entries()) note(item, `${pointer}/${index}`);
  };
  note(madeConfig(readBase(base, lines), wanted).contents, '');
  return places;
}

/**
 * Returns JSON for the service, so that its errors name the places in the original file.
 *
 * @param path the path of the base, for messages
 * @param keeper the program that runs the service
 */
export function describeOrigin(path: string, base: string, wanted: LocalConfig, keeper: string): string {
  const keepsSource = wanted.source.kind === 'configured' && namesSource(base);
  const kept = keepsSource ? 'client_auth and replication' : 'client_auth';
  return JSON.stringify({
    origin: `${path} (${keeper} uses its ${kept}: correct or remove it there)`,
    name: path,
    places: placesInBase(base, wanted),
  });
}

function madeConfig(config: Document, { storage, port, source, isSet }: LocalConfig): Document {
  for (const key of replaced) config.delete(key);
  config.set('port', port);
  config.set('storage', config.createNode({ type: 'embedded', path: storage }));
  config.set('healthcheck', config.createNode({ probes: { use_http: true } }));
  config.set('api', config.createNode({ tokens: [variableNode(config, variables.token)] }));
  setSource(config, source);
  readHostedSecrets(config);
  if (isSet !== undefined) removeUnset(config, isSet);
  letRowsBeRead(config);
  acceptOurTokens(config);
  return config;
}

/** Whether a service config names the source. Throws a sentence if the config is not YAML. */
export function namesSource(base: string): boolean {
  return hasSource(readBase(base));
}

/**
 * Whether a service on this machine can be asked to use the source of this file. The config of a hosted instance names its
 * secrets in ways that only its host can read. A file that is not YAML is offered as well, because the start reports the
 * mistake.
 */
export function offersSource(base: string): boolean {
  try {
    const config = readBase(base);
    return hasSource(config) && config.get('_type') !== 'cloud';
  } catch {
    return true;
  }
}

/** Whether the key has a value, because a template may have only comments below it. */
function hasSource(config: Document): boolean {
  return (config.get('replication') ?? null) !== null;
}

function readBase(text: string, lineCounter?: LineCounter): Document {
  const config: Document = parseDocument(text, {
    logLevel: 'silent',
    ...(lineCounter && { lineCounter }),
  });
  const [error] = config.errors;
  if (error) throw new Error(t('service.yaml is not valid YAML: {0}', error.message.split('\n')[0] ?? ''));
  return isMap(config.contents) ? config : new Document({});
}

function setSource(config: Document, source: LocalSource): void {
  if (source.kind === 'configured' && hasSource(config)) return;
  const connection =
    source.kind === 'address'
      ? {
          type: 'postgresql',
          uri: variableNode(config, variables.source),
          ...(!source.isEncrypted && { sslmode: 'disable' }),
        }
      : {
          type: 'embedded',
          ...(source.schema.length > 0 && { schema: source.schema }),
          ...(source.seed === false && { seed: false }),
        };
  config.set('replication', config.createNode({ connections: [connection] }));
}

/**
 * A hosted instance writes a secret as `{secret: VALUE}`, where a service expects the value, or as `{secret_ref: NAME}`, which
 * only its host can look up.
 */
function readHostedSecrets(config: Document): void {
  if (config.get('_type') !== 'cloud') return;
  visit(config, {
    Pair(_, pair) {
      if (!isMap(pair.value) || pair.value.items.length !== 1) return undefined;
      if (pair.value.has('secret_ref')) return visit.REMOVE;
      if (pair.value.has('secret')) pair.value = pair.value.get('secret', true);
      return undefined;
    },
  });
}

/**
 * Removes keys whose secret is missing, because they would only prevent the service from starting. Our own keys are added later.
 */
function removeUnset(config: Document, isSet: (variable: string) => boolean): void {
  const doomed: (readonly [holder: unknown[], item: unknown])[] = [];
  visit(config, {
    Pair: (_, { key }) => (isScalar(key) && key.value === 'replication' ? visit.SKIP : undefined),
    Scalar(_, node, path) {
      if (node.tag !== '!env') return;
      const name = String(node.value).split('::')[0]?.trim() ?? '';
      if (ownNames.has(name) || (isOwnVariable(name) && isSet(name))) return;
      const item = smallestWhole(node, path);
      const holder = path[path.indexOf(item as Node) - 1] ?? path.at(-1);
      if (isMap(holder) || isSeq(holder)) doomed.push([holder.items, item]);
    },
  });
  for (const [items, item] of doomed) if (items.includes(item)) items.splice(items.indexOf(item), 1);
}

const ownNames: ReadonlySet<string> = new Set(Object.values(variables));

/**
 * Returns the part to remove with a value: its key, or its list item. A key in a key set is removed completely, because it is
 * useless without one of its parts.
 */
function smallestWhole(node: unknown, path: readonly unknown[]): unknown {
  const element = path.findLast((each, index) => isMap(each) && isSeq(path[index - 1]));
  return element ?? (isSeq(path.at(-1)) ? node : path.findLast(isPair));
}

/** Lets the local service return rows, which Explain Row needs. Only the user who started it has a token. */
function letRowsBeRead(config: Document): void {
  const connections = config.getIn(['replication', 'connections'], true);
  if (!isSeq(connections)) return;
  for (const each of connections.items)
    if (isMap(each) && !each.has('debug_api')) each.set('debug_api', true);
}

/** Accepts our tokens in addition to those of the project's own config. */
function acceptOurTokens(config: Document): void {
  const key = { kty: 'oct', alg: 'HS256', kid: localKeyId, k: variableNode(config, variables.key) };
  append(config, ['client_auth', 'jwks', 'keys'], config.createNode(key));
  append(config, ['client_auth', 'audience'], config.createNode(localAudience));
}

function append(config: Document, path: readonly string[], node: unknown): void {
  const parent = config.getIn(path.slice(0, -1), true);
  // The key may exist with nothing but comments below it, such as `client_auth:`.
  if (isScalar(parent)) config.deleteIn(path.slice(0, -1));
  const list = config.getIn(path, true);
  if (isSeq(list)) list.add(node);
  else config.setIn(path, config.createNode([node]));
}

function variableNode(config: Document, variable: string) {
  const node = config.createNode(variable);
  node.tag = '!env';
  return node;
}
