/** Texts about the reasons why a token is rejected. */

import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { onlyLoopback } from '../../server/service/http/dispatch.ts';
import type { ErrorText } from './text.ts';

export const tokenErrors = {
  SVC_S2101: {
    told: 'in answers',
    when: 'For apps: the token cannot be verified or is incomplete: no key has its `kid`, its signature is wrong, it has no `sub`, `iat` or `exp`, or it is not valid yet. For tools: the token is not in `api.tokens`. The response contains no further details.',
    todo: 'For an app, compare `kid` and `alg` in the header of the token with the keys under `client_auth`; the log names both, never the token. For a tool, `headwater` shows where its token comes from: the variable `PS_ADMIN_TOKEN`, `cli.yaml` or `service.yaml`.',
    details: 'No key has the `kid` of the token.',
  },
  SVC_S2103: {
    told: 'in answers',
    when: 'The time in `exp` is more than a minute ago.',
    todo: 'SDKs then call `fetchCredentials`: it must fetch a new token, not return a cached one. If new tokens have expired already, the clocks of the two machines differ.',
    details: 'The time in `exp` has passed.',
  },
  SVC_S2104: {
    told: 'in answers',
    when: 'The time from `iat` to `exp` is longer than a day, or a week for tokens of Supabase. A stolen token would work for that long.',
    todo: 'Sign tokens that are valid for minutes or hours. SDKs fetch new ones automatically.',
    details: 'From `iat` to `exp` may be at most 86400 seconds.',
  },
  SVC_S2105: {
    told: 'in answers',
    when: 'The token is for another service: none of its `aud` is in `client_auth.audience`, or it has no `aud`. Without `audience`, every token is refused.',
    todo: 'List in `client_auth.audience` what your backend writes into `aud`, or change what it writes.',
    details: 'The token is for another service: none of `aud` is accepted (`client_auth.audience`).',
  },
  SVC_S2106: {
    told: 'in answers',
    when: 'A client sends no token, or not in the form `Authorization: Bearer …`.',
    todo: 'In the app, let `fetchCredentials` return `{ endpoint, token }`. A proxy must forward the header.',
    details: 'Send `Authorization: Bearer TOKEN` with a JWT.',
  },
  SVC_S2107: {
    told: 'in answers',
    when: 'A web page of another site calls a service that uses the secret of an example. That secret is public, so any page could sign in with it.',
    todo: 'Open the app at `http://localhost`, or write your own secrets to `.env`: `headwater init` generates them.',
    details: onlyLoopback,
  },
  SVC_S2108: {
    told: 'in answers',
    when: 'A link to the console was opened a second time, or more than 15 minutes after it was printed, or the service has restarted since.\n<!-- number: 15 minutes from server/service/console/sessions.ts "code: 15 * 60_000" -->',
    todo: 'Ask for another link: `headwater console` prints one. A browser stays signed in for 12 hours, or until the service stops.\n<!-- number: 12 hours from server/service/console/sessions.ts "session: 12 * 3_600_000" -->',
    details: 'A link works once, and only for 15 minutes. `headwater console` prints another one.',
  },
  SVC_S2109: {
    told: 'in answers',
    when: 'A browser opens the console under a host name that the service does not know, for example through a reverse proxy. Any site can point a name of its own at your machine, so unknown names are refused. Names such as `localhost` and the addresses that the service listens on are always accepted.',
    todo: 'Open the console at an address of the service, or add the name to `console.hosts` in the service config: `console: { hosts: [sync.example.com] }`.',
    details:
      'The console is not available at "sync.example.com". Open it at an address of the service, or add "sync.example.com" to `console.hosts` in the service config.',
  },
  SVC_S2201: {
    told: 'in answers',
    when: 'There is no key to verify tokens, or a key set contains none that can verify them. If this error ends the start of the service, a key under `client_auth.jwks.keys` cannot be used.',
    todo: '`headwater doctor` names the key set. Add `jwks_uri`, or keys under `jwks.keys`, to `client_auth`. For development, `headwater init` writes a config with a key.',
    details: 'No key is configured to verify tokens with: see `client_auth`.',
  },
  SVC_S2204: {
    told: 'in answers',
    when: 'No key of the service config matches, and the key set at `jwks_uri` cannot be fetched at the moment. The log and `headwater doctor` say why.',
    todo: 'Fetch the address with `curl` from the machine of the service. While fetching fails, the service uses the keys that it fetched before, so this occurs mostly at the first start.',
    details: 'The key set that tokens are verified with is not available at the moment.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
