/** Checks which client tokens are accepted. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, placesAt, type ServiceReading, scalarText } from './places.ts';

export function checkClientAuth(config: ServiceReading): Finding[] {
  const auth = config.places.get('/client_auth');
  if (auth?.node.kind !== 'map') return [];
  return [...checkSources(config, auth), ...checkKeySetUris(config), ...checkKeys(config)];
}

function checkSources({ places }: ServiceReading, auth: ConfigPlace): Finding[] {
  const at = (key: string): ConfigPlace | undefined => places.get(`/client_auth/${key}`);
  const supabase = at('supabase');
  const secret = at('supabase_jwt_secret');
  const findings: Finding[] = [];
  const usesSupabase = supabase !== undefined && !isFalse(supabase);
  if (secret !== undefined && !usesSupabase)
    findings.push(finding('service-supabase-off', secret.keySpan, {}));
  // Tokens of Supabase have their own audience.
  if (usesSupabase) return findings;
  if (isNothing(at('jwks_uri')) && isNothing(at('jwks')))
    return [...findings, finding('service-no-client-keys', auth.keySpan, {})];
  const audience = at('audience');
  if (isNothing(audience)) findings.push(finding('service-no-audience', (audience ?? auth).keySpan, {}));
  return findings;
}

function isFalse({ node }: ConfigPlace): boolean {
  return node.kind === 'scalar' && node.value === false;
}

/** Whether a value is missing, or is an empty list or map. The schema reports a value that is not written. */
function isNothing(place: ConfigPlace | undefined): boolean {
  if (place === undefined) return true;
  if (place.node.kind === 'sequence') return place.node.items.length === 0;
  return place.node.kind === 'map' && place.node.pairs.length === 0;
}

function checkKeySetUris(config: ServiceReading): Finding[] {
  const uris = [...placesAt(config, '/client_auth/jwks_uri'), ...placesAt(config, '/client_auth/jwks_uri/*')];
  return uris.flatMap((uri) => {
    const text = scalarText(uri);
    if (text === undefined || /^https?:\/\/[^/?#\s]+/i.test(text)) return [];
    const form = 'https://auth.example.com/.well-known/jwks.json';
    return [finding('service-invalid-uri', uri.span, { key: uri.name, form })];
  });
}

function checkKeys(config: ServiceReading): Finding[] {
  const secrets = placesAt(config, '/client_auth/jwks/keys/*/k').filter((secret) => {
    const text = scalarText(secret);
    return text !== undefined && !/^[\w-]*={0,2}$/.test(text);
  });
  return [
    ...secrets.map(({ span }) => finding('service-secret-not-base64url', span, {})),
    ...placesAt(config, '/client_auth/jwks/keys/*/d').map(({ name, keySpan }) =>
      finding('service-private-key', keySpan, { key: name }),
    ),
  ];
}
