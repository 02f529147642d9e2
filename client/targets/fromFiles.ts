/** Targets that files of a workspace name: `cli.yaml` of the official command line, and service configs. */
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { present } from '../api/reading.ts';
import { type ClientKey, hashes } from '../local/clientToken.ts';
import type { Target, TokenSource } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** @param path from the folder of the workspace, for people */
export function targetFromCli(text: string, path: string, env: Environment): Target | undefined {
  const root = rootOf(text);
  if (root === undefined || scalarOf(root.get('type', true), env) === 'cloud') return undefined;
  const url = scalarOf(root.get('api_url', true), env) ?? env.API_URL;
  if (url === undefined) return undefined;
  return {
    id: `file:${path}`,
    name: hostOf(url),
    kind: 'remote',
    url,
    token: tokenOf(root.get('api_key', true), path, env) ?? { kind: 'stored' },
    origin: path,
  };
}

/**
 * A service that someone runs with this config on this machine.
 *
 * @param envFile where variables are besides the environment: that file belongs to this very service
 */
export function targetFromService(
  text: string,
  path: string,
  env: Environment,
  envFile?: string,
): Target | undefined {
  const root = rootOf(text);
  if (root === undefined || !(root.has('replication') || root.has('storage') || root.has('client_auth')))
    return undefined;
  const port = Number(scalarOf(root.get('port', true), env) ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const tokens = root.getIn(['api', 'tokens'], true);
  const first = isSeq(tokens) ? tokens.items[0] : undefined;
  const token = tokenOf(first, path, env) ?? { kind: 'stored' };
  return {
    id: `file:${path}`,
    name: `127.0.0.1:${port}`,
    kind: 'remote',
    url: `http://127.0.0.1:${port}`,
    token: token.kind === 'variable' && envFile !== undefined ? { ...token, envFile } : token,
    ...present({ clientKey: clientKeyOf(root, env), loads: loadedBy(root, env) }),
    origin: path,
  };
}

function loadedBy(root: YAMLMap, env: Environment): string | undefined {
  const paths = ['sync_config', 'sync_rules'].map((key) => scalarOf(root.getIn([key, 'path'], true), env));
  return paths.find((path) => path !== undefined && path !== '');
}

/** The first secret key for signatures; keys of others can be checked with, and not signed with. */
function clientKeyOf(root: YAMLMap, env: Environment): ClientKey | undefined {
  const keys = root.getIn(['client_auth', 'jwks', 'keys'], true);
  const audience = root.getIn(['client_auth', 'audience'], true);
  const names = isSeq(audience) ? audience.items.flatMap((name) => scalarOf(name, env) ?? []) : [];
  for (const key of isSeq(keys) ? keys.items : []) {
    if (!isMap(key) || scalarOf(key.get('kty', true), env) !== 'oct') continue;
    const [alg = 'HS256', k, kid] = ['alg', 'k', 'kid'].map((name) => scalarOf(key.get(name, true), env));
    if (k && isSecretAlgorithm(alg) && names.length > 0) return { alg, k, kid, audience: names };
  }
  return undefined;
}

function isSecretAlgorithm(name: string): name is ClientKey['alg'] {
  return Object.hasOwn(hashes, name);
}

function rootOf(text: string): YAMLMap | undefined {
  const { contents, errors } = parseDocument(text, { logLevel: 'silent' });
  return errors.length === 0 && isMap(contents) ? contents : undefined;
}

/** `!env NAME`, `!env NAME::number` */
function variableOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.tag !== '!env') return undefined;
  return String(node.value).split('::')[0]?.trim();
}

function scalarOf(node: unknown, env: Environment): string | undefined {
  const variable = variableOf(node);
  if (variable !== undefined) return env[variable];
  return isScalar(node) && (typeof node.value === 'string' || typeof node.value === 'number')
    ? String(node.value)
    : undefined;
}

function tokenOf(node: unknown, file: string, env: Environment): TokenSource | undefined {
  // The official command line prefers it.
  if (file.endsWith('cli.yaml') && env.PS_ADMIN_TOKEN) return { kind: 'variable', name: 'PS_ADMIN_TOKEN' };
  const name = variableOf(node);
  if (name !== undefined) return { kind: 'variable', name };
  const value = scalarOf(node, env);
  return value === undefined || value === '' ? undefined : { kind: 'written', value, file };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
