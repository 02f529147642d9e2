/** Targets that files of a workspace name: `cli.yaml` of the official command line, and service configs. */
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { present } from '../../api/reading.ts';
import { type ClientKey, hashes } from '../../project/clientToken.ts';
import { isOwnVariable } from '../../project/trust.ts';
import { consentFor } from './consent.ts';
import type { Target, TokenSource } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** @param path from the folder of the workspace, for people */
export function targetFromCli(text: string, path: string, env: Environment): Target | undefined {
  const root = rootOf(text);
  if (root === undefined || scalarOf(root.get('type', true), env) === 'cloud') return undefined;
  const named = root.get('api_url', true);
  const written = scalarOf(named, env);
  const url = written ?? env.API_URL;
  if (url === undefined) return undefined;
  const token: TokenSource = tokenOf(root.get('api_key', true), path, env) ?? { kind: 'stored' };
  const variable = variableOf(named);
  const isUsers = written === undefined || (variable !== undefined && isOwnVariable(variable));
  const variables = [variable ?? [], token.kind === 'variable' ? token.name : []].flat();
  return {
    id: `file:${path}`,
    name: hostOf(url),
    kind: 'remote',
    url,
    token,
    ...present({ consent: consentFor(url, isUsers ? 'user' : 'folder', variables) }),
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
  const token: TokenSource = tokenOf(first, path, env) ?? { kind: 'stored' };
  const url = `http://127.0.0.1:${port}`;
  const consent = consentFor(url, 'folder', token.kind === 'variable' ? [token.name] : []);
  return {
    id: `file:${path}`,
    name: `127.0.0.1:${port}`,
    kind: 'remote',
    url,
    token: token.kind === 'variable' && envFile !== undefined ? { ...token, envFile } : token,
    ...present({ clientKey: clientKeyOf(root, ownOf(env)), loads: loadedBy(root, env), consent }),
    origin: path,
  };
}

function loadedBy(root: YAMLMap, env: Environment): string | undefined {
  const paths = ['sync_config', 'sync_rules'].map((key) => scalarOf(root.getIn([key, 'path'], true), env));
  return paths.find((path) => path !== undefined && path !== '');
}

/** Services accept no others, and what signs a token of a client gets around. */
function ownOf(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isOwnVariable(name)));
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
