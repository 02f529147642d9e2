/** Probes: as soon as the section exists, each of them is off that is not switched on. */
import type { Finding } from '../diagnostics.ts';
import { finding } from './finding.ts';
import { type Place, placesAt, type ServiceConfig } from './places.ts';

export function checkProbes(config: ServiceConfig): Finding[] {
  const probes = config.places.get('/healthcheck/probes');
  if (probes?.node.kind !== 'map') return [];
  const mayBeOn = placesAt(config, '/healthcheck/probes/*').some(
    (probe) => probe.schema.type === 'boolean' && !isOff(probe),
  );
  return mayBeOn ? [] : [finding('service-no-probes', probes.keySpan, {})];
}

/** A value of another type is said to be wrong by the schema. */
function isOff({ node }: Place): boolean {
  return node.kind === 'scalar' && node.value === false;
}
