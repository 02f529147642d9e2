/** Probes: as soon as the section exists, each of them is off that is not switched on. */
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

/** A value of another type is said to be wrong by the schema. */
function isOff({ node }: ConfigPlace): boolean {
  return node.kind === 'scalar' && node.value === false;
}
