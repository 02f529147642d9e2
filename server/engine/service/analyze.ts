/**
 * Problems of a service config. Nothing that services accept is rejected here: keys that they do not know are
 * a warning.
 */
import type { Code, Finding } from '../diagnostics/diagnostics.ts';
import type { Reading } from '../yaml/read.ts';
import { checkAliases } from './aliases.ts';
import { checkClientAuth } from './clientAuth.ts';
import { checkConnections } from './connections.ts';
import { checkConsole } from './consoleHosts.ts';
import { checkDatabases } from './databases.ts';
import { checkTags } from './environment.ts';
import { finding } from './finding.ts';
import { checkOldKeys } from './keys.ts';
import { readService, type ServiceReading, scalarText } from './places.ts';
import { checkProbes } from './probes.ts';
import { checkSecrets } from './secrets.ts';
import { checkSyncConfig } from './syncConfig.ts';
import { checkSchema } from './violations.ts';
import type { ServiceWorld } from './world.ts';

interface ServiceAnalysis {
  /**
   * Further findings in addition to those of the reading, in no order. An alias that refers to a place again repeats its
   * finding.
   */
  readonly findings: readonly Finding[];
  /** Absent for a file without content. */
  readonly service?: ServiceReading;
}

const checks: readonly ((config: ServiceReading, world: ServiceWorld) => readonly Finding[])[] = [
  checkAliases,
  checkTags,
  checkSchema,
  checkOldKeys,
  checkConnections,
  checkDatabases,
  checkSecrets,
  checkSyncConfig,
  checkClientAuth,
  checkProbes,
  checkConsole,
];

/** Codes about missing keys, which may be in an unreadable place. */
const absences: ReadonlySet<Code> = new Set<Code>([
  'service-unknown-alias',
  'service-missing-key',
  'service-missing-value',
  'service-missing-storage',
  'service-missing-cacert',
  'service-incomplete-connection',
  'service-no-sync-config',
  'service-no-probes',
  'service-no-client-keys',
  'service-no-audience',
  'service-supabase-off',
]);

export function analyzeService(
  { text, root, findings: broken }: Reading,
  world: ServiceWorld,
): ServiceAnalysis {
  // All defaults apply to an empty config, which the embedded service runs.
  if (root === undefined) return { findings: [] };
  const service = readService(text, root);
  const findings = findingsIn(service, world).filter(
    ({ code }) => broken.length === 0 || !absences.has(code),
  );
  return { service, findings };
}

function findingsIn(service: ServiceReading, world: ServiceWorld): readonly Finding[] {
  const type = service.places.get('/_type');
  if (type !== undefined && scalarText(type) === 'cloud') return [finding('service-cloud', type.span, {})];
  return saidOnce(checks.flatMap((check) => check(service, world)));
}

/** True wherever they are said, and noise from the second time on. */
const advice: ReadonlySet<Code> = new Set<Code>(['service-not-embedded', 'service-deploy-refused']);

/** Advice once a file, for its first place; that a key is out of date, once for each key. */
function saidOnce(findings: readonly Finding[]): readonly Finding[] {
  const said = new Set<string>();
  return findings.filter(({ code, args }) => {
    const name = code === 'service-deprecated-key' ? `${code} ${JSON.stringify(args)}` : code;
    if (name === code && !advice.has(code)) return true;
    const isNew = !said.has(name);
    said.add(name);
    return isNew;
  });
}
