/** Secrets that stand in the file, and so in its history, instead of in the environment. */
import type { Finding } from '../diagnostics.ts';
import { finding } from './finding.ts';
import { literalText, type Place, placesAt, type ServiceConfig } from './places.ts';
import { readUri } from './uri.ts';

export function checkSecrets(config: ServiceConfig): Finding[] {
  const uris = [...placesAt(config, '/replication/connections/*/uri'), ...placesAt(config, '/storage/uri')];
  const secrets = [...config.places.values()].filter(({ schema }) => schema['x-secret']);
  return [
    ...uris.filter((uri) => readUri(literalText(uri) ?? '')?.password),
    ...secrets.filter((secret) => literalText(secret)),
  ].map(report);
}

function report({ name, span }: Place): Finding {
  return finding('service-literal-secret', span, { variable: `PS_${name.toUpperCase()}` });
}
