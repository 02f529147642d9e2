/** Reads from a service config which client tokens are accepted. */
import { isIP } from 'node:net';
import { addressRules, literalHost } from '../ground/addresses.ts';
import { decodeRanges } from './commonKeys.ts';
import type { Section } from './section.ts';
import type { ClientAuthSettings, ConnectionSettings, JwkSettings } from './settings.ts';
import type { DecodeContext } from './surroundings.ts';

export function decodeClientAuth(
  root: Section,
  connection: ConnectionSettings,
  { warn }: DecodeContext,
): ClientAuthSettings {
  const auth = root.section('client_auth');
  const keys = auth.section('jwks').sections('keys');
  const supabase = decodeSupabase(auth, connection);
  const warnOf = (sentence: string, key: string): void => {
    const place = auth.placeOf(key);
    warn({ sentence, ...(place && { place }) });
  };
  const rejectIpRanges = decodeRanges(auth, 'jwks_reject_ip_ranges');
  const blockLocalKeySets = auth.flag('block_local_jwks') === true;
  const settings: ClientAuthSettings = {
    keys: keys.map(({ value, placeOf }) => {
      const place = placeOf('kty');
      return { ...(value as JwkSettings), ...(place && { place }) };
    }),
    keySetUris: decodeUris(auth, rejectIpRanges, blockLocalKeySets),
    ...(supabase && { supabase }),
    audience: auth.texts('audience'),
    rejectIpRanges,
    blockLocalKeySets,
  };
  if (!root.has('client_auth')) warn({ sentence: 'There is no `client_auth`, so every client is refused.' });
  if (supabase !== undefined && supabase.keySetUri === undefined)
    warnOf(
      'The address of the database is not db.PROJECT.supabase.co, so no key set is derived from it. If tokens are signed with other keys than `supabase_jwt_secret`, set `jwks_uri`.',
      'supabase',
    );
  if (supabase === undefined && projectOf(connection) !== undefined)
    warnOf('The database is a Supabase database. To accept its tokens, set `supabase: true`.', 'supabase');
  return settings;
}

/**
 * Reads the URIs of key sets. Only addresses can be checked against the rejected ranges here; a name is checked when it is
 * resolved.
 */
function decodeUris(auth: Section, ranges: readonly string[], blocksLocal: boolean): readonly string[] {
  const key = 'jwks_uri';
  const rules = addressRules(blocksLocal ? [...ranges, 'local'] : ranges);
  const uris = typeof auth.value[key] === 'string' ? [auth.value[key]] : auth.texts(key);
  for (const text of uris) {
    const url = URL.parse(text);
    if (url === null) auth.refuse('`jwks_uri` must be a URL.', { key, code: 'SVC_S3102' });
    else if (!/^https?:$/.test(url.protocol))
      auth.refuse('`jwks_uri` must begin with https:// or http://.', { key, code: 'SVC_S3103' });
    else if (blocksLocal && isIP(literalHost(url)) === 6)
      auth.refuse('With `block_local_jwks` a key set must not be at an IPv6 address.', {
        key,
        code: 'SVC_S2202',
      });
    else if (rules.rejectsHost(literalHost(url)))
      auth.refuse('`jwks_uri` is at an address that this config rejects.', { key, code: 'SVC_S2203' });
  }
  return uris;
}

function decodeSupabase(auth: Section, connection: ConnectionSettings): ClientAuthSettings['supabase'] {
  if (auth.flag('supabase') !== true) return undefined;
  const secret = auth.text('supabase_jwt_secret');
  const project = projectOf(connection);
  return {
    ...(secret && { secret }),
    ...(project && { keySetUri: `https://${project}.supabase.co/auth/v1/.well-known/jwks.json` }),
  };
}

/** Returns the Supabase project, which only the host name of the database itself contains, not that of the pooler. */
function projectOf(connection: ConnectionSettings): string | undefined {
  if (connection.type !== 'postgresql') return undefined;
  return /^db\.([^.]+)\.supabase\.co$/.exec(connection.hostname)?.[1];
}
