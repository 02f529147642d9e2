/** Checks probes. If the section exists, every probe that is not turned on is off. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, placesAt, type ServiceReading } from './places.ts';

export function checkProbes(config: ServiceReading): Finding[] {
  const probes = config.places.get('/healthcheck/probes');
  if (probes?.node.kind !== 'map') return [];
  const mayBeOn = placesAt(config, '/healthcheck/probes/*').some(
    (probe) => probe.schema.type === 'boolean' && !isOff(probe),
  );
  return mayBeOn ? [] : [finding('service-no-probes', probes.keySpan, {})];
}

/** Whether a probe is off. The schema reports values of another type. */
function isOff({ node }: ConfigPlace): boolean {
  return node.kind === 'scalar' && node.value === false;
}
