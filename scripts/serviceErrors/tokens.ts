/** Why a token is refused. */

import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { onlyLoopback } from '../../server/service/http/dispatch.ts';
import type { ErrorText } from './text.ts';

export const tokenErrors = {
  SVC_S2101: {
    told: 'in answers',
    when: 'Of an app: the token cannot be verified, or lacks something: no key has its `kid`, its signature is wrong, it has no `sub`, `iat` or `exp`, or is not valid yet. Of a tool: the token is none of `api.tokens`; which of them is wrong is not told.',
    todo: 'For an app, compare `kid` and `alg` in the header of the token with the keys under `client_auth`; the log names both, never the token. For a tool, `headwater` says from where it took the token: the variable `PS_ADMIN_TOKEN`, else `cli.yaml`, else `service.yaml`.',
    details: 'No key has the `kid` of the token.',
  },
  SVC_S2103: {
    told: 'in answers',
    when: 'The time in `exp` is more than a minute ago.',
    todo: 'SDKs ask `fetchCredentials` for a new token when this comes: it must fetch one, and not give back one that was kept. If tokens are new and still too old, the clocks of the two machines differ.',
    details: 'The time in `exp` has passed.',
  },
  SVC_S2104: {
    told: 'in answers',
    when: 'From `iat` to `exp` is longer than a day, or than a week for tokens of Supabase: a stolen token would work for as long.',
    todo: 'Sign tokens that live for minutes or hours; SDKs fetch new ones by themselves.',
    details: 'From `iat` to `exp` may be at most 86400 seconds.',
  },
  SVC_S2105: {
    told: 'in answers',
    when: 'The token is for somebody else: nothing in its `aud` is in `client_auth.audience`, or it has none. Without `audience`, every token is refused.',
    todo: 'List in `client_auth.audience` what your backend writes into `aud`, or change what it writes.',
    details: 'The token is for another service: none of `aud` is accepted (`client_auth.audience`).',
  },
  SVC_S2106: {
    told: 'in answers',
    when: 'A client sends no token, or not as `Authorization: Bearer …`.',
    todo: 'In the app, let `fetchCredentials` return `{ endpoint, token }`. A proxy must pass the header on.',
    details: 'Send `Authorization: Bearer TOKEN` with a JWT.',
  },
  SVC_S2107: {
    told: 'in answers',
    when: 'A page of some site calls a service whose service config uses a secret of an example. Everybody can read that one, so any page could sign in with it.',
    todo: 'Open the app at `http://localhost`, or write secrets of your own into `.env`: `headwater init` makes some.',
    details: onlyLoopback,
  },
  SVC_S2201: {
    told: 'in answers',
    when: 'There is no key to verify tokens with. At the start, it means that a key under `client_auth.jwks.keys` cannot be used.',
    todo: 'Add `jwks_uri`, or keys under `jwks.keys`, to `client_auth`. For development, `headwater init` writes a config with a key.',
    details: 'No key is configured to verify tokens with: see `client_auth`.',
  },
  SVC_S2204: {
    told: 'in answers',
    when: 'No key of the service config fits, and the key set at `jwks_uri` cannot be fetched at the moment. The log says why.',
    todo: 'Fetch the address with `curl` from where the service runs. What was fetched before is used while a new attempt fails, so this comes mostly at the first start.',
    details: 'The key set that tokens are verified with is not available at the moment.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
