/** Reports secrets that are in the file, and therefore in its Git history, rather than in the environment. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, placesAt, type ServiceReading, scalarText } from './places.ts';
import { readUri } from './uri.ts';

export function checkSecrets(config: ServiceReading): Finding[] {
  const uris = [...placesAt(config, '/replication/connections/*/uri'), ...placesAt(config, '/storage/uri')];
  const secrets = [...config.places.values()].filter(({ schema }) => schema['x-secret']);
  return [
    ...uris.filter((uri) => readUri(scalarText(uri) ?? '')?.password),
    ...secrets.filter((secret) => scalarText(secret)),
  ].map(report);
}

function report({ name, span }: ConfigPlace): Finding {
  return finding('service-literal-secret', span, { variable: `PS_${name.toUpperCase()}` });
}
