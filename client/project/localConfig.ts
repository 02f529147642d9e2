/**
 * The config that the local service runs with: either of its own, or the workspace's `service.yaml` with what belongs
 * to a deployment somewhere else replaced. Secrets are named, never written: the process gets them as variables.
 */
import { Document, isMap, isSeq, parseDocument } from 'yaml';
import { t } from '../l10n.ts';
import { localAudience, localKeyId, variables } from './localNames.ts';

interface LocalConfig {
  /** Absolute: where everything of the service lies. */
  readonly storage: string;
  readonly port: number;
  /** Absolute: SQL that fills the embedded database when it is new. */
  readonly schema?: string | undefined;
}

/** What the editor decides, or what deploying from it would be refused for. */
const replaced = ['sync_config', 'sync_rules', 'port', 'host', 'healthcheck', 'telemetry', 'storage', 'api'];

/** @param base the text of a service config; throws a sentence if it is not YAML */
export function localConfig(base: string | undefined, { storage, port, schema }: LocalConfig): string {
  const config = readBase(base ?? '');
  for (const key of replaced) config.delete(key);
  config.set('port', port);
  config.set('storage', config.createNode({ type: 'embedded', path: storage }));
  config.set('healthcheck', config.createNode({ probes: { use_http: true } }));
  config.set('api', config.createNode({ tokens: [named(config, variables.token)] }));
  if (!config.has('replication')) {
    const connection = { type: 'embedded', ...(schema && { schema }) };
    config.set('replication', config.createNode({ connections: [connection] }));
  }
  letRowsBeRead(config);
  acceptOurTokens(config);
  return config.toString({ lineWidth: 0 });
}

function readBase(text: string): Document {
  const config: Document = parseDocument(text, { logLevel: 'silent' });
  const [error] = config.errors;
  if (error) throw new Error(t('service.yaml is not YAML: {0}', error.message.split('\n')[0] ?? ''));
  return isMap(config.contents) ? config : new Document({});
}

/** So that they can be explained: to nobody but the editor, which has the only token. */
function letRowsBeRead(config: Document): void {
  const connections = config.getIn(['replication', 'connections'], true);
  if (!isSeq(connections)) return;
  for (const each of connections.items)
    if (isMap(each) && !each.has('debug_api')) each.set('debug_api', true);
}

/** Besides the keys that the workspace's own config accepts. */
function acceptOurTokens(config: Document): void {
  const key = { kty: 'oct', alg: 'HS256', kid: localKeyId, k: named(config, variables.key) };
  append(config, ['client_auth', 'jwks', 'keys'], config.createNode(key));
  append(config, ['client_auth', 'audience'], config.createNode(localAudience));
}

function append(config: Document, path: readonly string[], node: unknown): void {
  const list = config.getIn(path, true);
  if (isSeq(list)) list.add(node);
  else config.setIn(path, config.createNode([node]));
}

function named(config: Document, variable: string) {
  const node = config.createNode(variable);
  node.tag = '!env';
  return node;
}
