/** Finds the problems of a service config. Nothing that services accept is an error here: unknown keys are a warning. */
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
   * Findings in addition to those of the parser, in no particular order. If an alias refers to a place again, its finding is
   * repeated.
   */
  readonly findings: readonly Finding[];
  /** Absent if the file has no content. */
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

/** Codes of missing keys. Such a key may be in an unreadable place. */
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
  // An empty config has only defaults, and the embedded service runs with them.
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

/** The codes to report only once per file, because the same advice applies to every place. */
const advice: ReadonlySet<Code> = new Set<Code>(['service-not-embedded', 'service-deploy-refused']);

/** Keeps one advice finding per file, at its first place, and one finding for each outdated key. */
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
