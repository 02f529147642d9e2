/** Texts about the errors of requests, except for those about tokens. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import type { ErrorText } from './text.ts';

export const requestErrors = {
  SVC_R0001: {
    told: 'in answers',
    when: 'The deployed sync config has errors. Nothing was changed: the previous config stays active.',
    todo: 'Each reason has its line and column. `headwater validate` and the editor report the same problems, with a code that has [a page](../RULES.md).',
    details: 'Line 4, column 49: Unknown function `auth.userid()`. Did you mean `auth.user_id()`?',
  },
  SVC_S2001: {
    told: 'in answers',
    when: 'The request is not what the endpoint expects: a part is missing or has the wrong type (status 400), the body is too large (status 413), or its media type is not supported (status 415). Status 500 means an unexpected failure: the log has the reason, under the id in the details.',
    todo: 'Look at the status first. For requests of your own, correct what the details name. For status 500, search the log of the service for the id.',
    details: '["The property \'content\' is missing."]',
  },
  SVC_S2002: {
    told: 'in answers',
    when: 'No endpoint has this path with this method. Often the address in the app includes a path, or belongs to another service.',
    todo: 'Configure SDKs with the address without a path, such as `http://127.0.0.1:8080`. A proxy must not change paths.',
    details: 'The path GET "/sync" does not exist on this server.',
  },
  SVC_S2003: {
    told: 'in answers',
    when: 'The service is stopping and accepts no new streams. It ends the open ones properly.',
    todo: 'Nothing: SDKs try again and reach the next process.',
  },
  SVC_S2004: {
    told: 'in answers',
    when: 'A client connects by WebSocket, and its payloads are neither JSON nor BSON, or not both of one kind.',
    todo: "This comes from software that is not one of PowerSync's SDKs, or from a very old SDK. Send `application/json` or `application/bson` as both MIME types.",
    details: 'Metadata and data must both be application/json, or both application/bson.',
  },
  SVC_S2302: {
    told: 'in answers',
    when: 'A client connects while no sync config is active: none has been deployed, or the first one is still copying its tables.',
    todo: '`headwater status` shows which of the two applies. Deploy one, or wait: SDKs try again automatically.',
    details: 'Deploy a sync config, or wait until the first one has copied its tables.',
  },
  SVC_S2304: {
    told: 'in answers',
    when: 'As many clients are connected by WebSocket as `max_concurrent_connections` allows.',
    todo: 'Raise `api.parameters.max_concurrent_connections`, or run more processes with the role `api`. If there are more connections than apps, look for an app that opens a new one each time it is shown.',
    details: 'Close other connections, or try again later.',
  },
  SVC_S2305: {
    told: 'in answers',
    when: 'With `over_limit: client`: a client would have more buckets than `max_buckets_per_connection`, or its streams look up more values than `max_parameter_query_results`; both are 1000 unless changed under `api.parameters`. Each value that a stream compares with creates a bucket. By default (`over_limit: stream`), no client is refused: only the streams and subscriptions that do not fit are left out, and the client is informed with each checkpoint.\n<!-- number: 1000 from server/service/config/decode.ts "query_results\', 1000" -->',
    todo: 'The details name the stream. Select rows by a column with fewer distinct values, such as the project instead of each task; the editor shows after each stream how many buckets a client gets from it. Or let the app subscribe to the items on the screen.',
    details:
      'It would have 2000 buckets, and the limit of one client is 1000. Buckets by stream: tasks (1990), lists (10). Fewer, larger buckets help: select rows by a column with fewer distinct values.',
  },
  SVC_S2401: {
    told: 'in answers',
    when: 'The storage could not do what the request needs: its disk is full, it cannot be written to, or its database reports an error.',
    todo: 'The log of the service has the reason. When it is gone, try again.',
    details: 'Its disk is full. Free some space, and try again.',
  },
  SVC_S2402: {
    told: 'in answers',
    when: 'If the storage is a PostgreSQL database, a process learns from it about the changes that other processes have stored. Every two seconds, it sends itself a message through the storage. If none has arrived for ten seconds, the process no longer knows what is new: its readiness probe fails, it disconnects and refuses clients, and diagnostics report it. It reconnects automatically. A request gets this answer if the storage does not answer, or has ended the connection: nothing was deployed. With status 504, a change may be stored: the connection ended before the storage said so.\n<!-- number: two seconds from server/service/storage/postgres/messages.ts "ask: 2, giveUp: 4"; ten seconds from server/service/storage/link.ts "lostAfter = 10" -->',
    todo: 'Try again later; after status 504, look at `headwater status` first. Check that the database is running and that the network reaches it. If the service does not start for this reason, there is a pooler in transaction mode in between: connect to PostgreSQL directly, or through a pooler in session mode.',
    details:
      'This process receives nothing from its storage, so it may miss changes. It serves no clients until the storage responds.',
  },
  SVC_S2403: {
    told: 'in answers',
    when: 'Stored data differs from what the service wrote: a disk, a cable or the memory of the machine has changed it. Each stored row has a checksum, so the service notices this before it uses the row. The service also checks the file of the embedded storage when it starts: all of it up to 256 MB, and larger files where they are read. In a PostgreSQL storage, the server notices corrupt pages if they have checksums.\n<!-- number: 256 MB from server/service/storage/embedded/soundness.ts "pages: 256 * 2 ** 20" -->',
    todo: 'Nothing right now: corrupt rows are never sent, and the service automatically copies everything again from the source. If single rows are corrupt, clients whose rows are not affected continue. If the file of the embedded storage is corrupt, the service restarts within the same process, renames the file to `data.sqlite-corrupt`, and takes the deployed sync config from it or from the copy in `deployments.json`. If it cannot read the config from either, diagnostics ask you to deploy it again. Then check the disk and the memory, because this is seldom the only corruption, and delete `data.sqlite-corrupt`. After three such restarts, the process ends with exit code 151.',
    details: 'Everything is copied again. Try again later.',
  },
  SVC_S4104: {
    told: 'in answers',
    when: 'The request needs an active sync config. No config has been deployed, or the first one is still copying its tables.',
    todo: 'Deploy one. `headwater status` shows the progress of the first one.',
  },
  SVC_S4105: {
    told: 'in answers',
    when: 'The service config contains or names the sync config (`sync_config`), or the environment does. The API then refuses deploys, because the file would replace them at the next start.',
    todo: 'Change the file that the details name, and restart the service. To deploy through the API instead, remove `sync_config` from the service config.',
    details: 'It comes from `sync_config.content`: change it there, and restart the service.',
  },
  SVC_S4106: {
    told: 'in answers',
    when: 'Reprocess was requested while a deployment is being processed.',
    todo: 'Wait until it is active; `headwater status` shows its progress. A deploy, unlike a reprocess, replaces the deployment in progress.',
  },
  SVC_S4107: {
    told: 'in answers',
    when: 'A reset of the source database was requested. Only the embedded database can be reset: it belongs to the service, and the scripts of the project create it. The service only reads other databases.',
    todo: 'Reset that database with the tools that created it. The service notices when its replication slot is gone, and copies all rows again.',
  },
  SVC_S4108: {
    told: 'in answers',
    when: 'The console needs a token to show the rows of a user. The service signs tokens only with a secret that it also uses to verify tokens.',
    todo: 'Add a key of type `oct` to `client_auth.jwks.keys` and an `audience`, as `headwater init` does. A service that only knows public keys cannot sign.',
    details:
      'This service has no secret to sign tokens for clients with: `client_auth.jwks.keys` has no key of type `oct`.',
  },
  SVC_S4109: {
    told: 'in answers',
    when: 'The request was to copy only some streams again, but the active sync config has no stream or bucket definition with one of these names.',
    todo: 'Correct the name: `headwater current` shows the active sync config.',
    details: 'The active sync config has no stream "orders".',
  },
  SVC_S4110: {
    told: 'in answers',
    when: 'The request was to pause, resume, slow or give up a copy, but no deployment is being copied: it has become active, or was given up. The same happens if the request names a deployment and another one is being copied.',
    todo: 'Nothing: `headwater status` shows the active config and the one that is being copied.',
  },
  SVC_S0102: {
    told: 'on the terminal',
    when: '`teardown` drops the replication slots and deletes everything that the service has stored. You must confirm it in capitals.',
    todo: 'To confirm, run `node dist/service.js teardown TEARDOWN`. The source database keeps its rows.',
    says: '[SVC_S0102] This deletes everything that the service has stored: write `teardown TEARDOWN`.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
