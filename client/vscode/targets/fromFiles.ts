/** Targets that files of a workspace name: `cli.yaml` of the official command line, and service configs. */
import { present } from '../../api/reading.ts';
import { type Link, linkName, namerOf, readLink } from '../../project/link.ts';
import { type Environment, lookupIn, type ProjectFile, readProjectFile } from '../../project/projectFile.ts';
import { clientKeysOf, isServiceConfig, loadedPathOf, portOf, urlOn } from '../../project/serviceConfig.ts';
import { consentFor } from './consent.ts';
import type { Target, TokenSource } from './target.ts';

/** @param path the path from the folder of the workspace, for messages */
export function targetFromCli(text: string, path: string, env: Environment): Target | undefined {
  const file = readProjectFile(path, text, lookupIn(env));
  if (file.kind !== 'read') return undefined;
  const link = readLink(file);
  const url = link.url?.text ?? env.API_URL;
  if (link.isCloud || url === undefined) return undefined;
  const token = tokenAt('/api_key', file, env);
  const namedBy = link.url === undefined ? 'user' : namerOf(link.url, env);
  const variables = [link.url?.variable ?? [], token.kind === 'variable' ? token.name : []].flat();
  return {
    id: `file:${path}`,
    name: hostOf(url),
    kind: 'remote',
    url,
    token,
    ...present({ consent: consentFor(url, namedBy, variables) }),
    origin: path,
  };
}

/** Returns the link of a cloud project; undefined if the file has none. */
export function readCloudLink(text: string): Link | undefined {
  const file = readProjectFile(linkName, text, lookupIn({}));
  const link = file.kind === 'read' ? readLink(file) : undefined;
  return link?.isCloud ? link : undefined;
}

/**
 * Returns the target for a service that runs with this config on this machine.
 *
 * @param envFile a file with additional variables, which belongs to this service
 */
export function targetFromService(
  text: string,
  path: string,
  env: Environment,
  envFile?: string,
): Target | undefined {
  const file = readProjectFile(path, text, lookupIn(env));
  if (file.kind !== 'read' || !isServiceConfig(file)) return undefined;
  const port = portOf(file);
  if (port === undefined || port === 0) return undefined;
  const token = tokenAt('/api/tokens/0', file, env);
  const url = urlOn(port);
  return {
    id: `file:${path}`,
    name: hostOf(url),
    kind: 'remote',
    url,
    token: token.kind === 'variable' && envFile !== undefined ? { ...token, envFile } : token,
    ...present({
      clientKey: clientKeysOf(file).find(({ audience }) => audience.length > 0),
      loads: loadedPathOf(file),
      consent: consentFor(url, 'folder', token.kind === 'variable' ? [token.name] : []),
    }),
    origin: path,
  };
}

/** Returns the source of a token. An unset variable may be set later, when the token is needed. */
function tokenAt(pointer: string, file: ProjectFile, env: Environment): TokenSource {
  // The official command line prefers this variable.
  if (file.path.endsWith(linkName) && env.PS_ADMIN_TOKEN) return { kind: 'variable', name: 'PS_ADMIN_TOKEN' };
  const name = file.variable(pointer);
  if (name !== undefined) return { kind: 'variable', name };
  const value = file.text(pointer);
  return value === undefined ? { kind: 'stored' } : { kind: 'written', value, file: file.path };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
