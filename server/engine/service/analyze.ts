/**
 * What is wrong with a service config. Nothing here rejects what services accept: keys that they do not know are
 * a warning.
 */
import type { Finding } from '../diagnostics.ts';
import { readYaml } from '../yaml/read.ts';
import { checkClientAuth } from './clientAuth.ts';
import { checkConnections } from './connections.ts';
import { checkDatabases } from './databases.ts';
import { checkTags } from './environment.ts';
import { finding } from './finding.ts';
import { checkOldKeys } from './keys.ts';
import { literalText, readService, type ServiceConfig } from './places.ts';
import { checkProbes } from './probes.ts';
import { checkSecrets } from './secrets.ts';
import { checkSyncConfig } from './syncConfig.ts';
import { checkSchema } from './violations.ts';
import type { ServiceWorld } from './world.ts';

export interface ServiceAnalysis {
  /** In no order; an alias that leads to the same place again says the same again. */
  readonly findings: readonly Finding[];
  /** Absent for a file without content. */
  readonly service?: ServiceConfig;
}

const checks: readonly ((config: ServiceConfig, world: ServiceWorld) => readonly Finding[])[] = [
  checkTags,
  checkSchema,
  checkOldKeys,
  checkConnections,
  checkDatabases,
  checkSecrets,
  checkSyncConfig,
  checkClientAuth,
  checkProbes,
];

export function analyzeService(text: string, world: ServiceWorld): ServiceAnalysis {
  const { root, findings } = readYaml(text);
  // Without content all defaults apply: the embedded service runs that.
  if (root === undefined) return { findings };
  const service = readService(text, root);
  return { service, findings: [...findings, ...findingsIn(service, world)] };
}

function findingsIn(service: ServiceConfig, world: ServiceWorld): readonly Finding[] {
  const type = service.places.get('/_type');
  if (type !== undefined && literalText(type) === 'cloud') return [finding('service-cloud', type.span, {})];
  return checks.flatMap((check) => check(service, world));
}
