/** What clients and tools are answered, tokens aside. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import type { ErrorText } from './text.ts';

export const requestErrors = {
  SVC_R0001: {
    told: 'in answers',
    when: 'The sync config that was to be deployed has errors. Nothing was changed; what served before goes on serving.',
    todo: 'Each reason has its line and column. `headwater validate` and the editor say the same, with a code that has [a page](../RULES.md).',
    details:
      'Line 4, column 49: `auth` has only user_id(), parameters(), parameter(). Did you mean `user_id`?',
  },
  SVC_S2001: {
    told: 'in answers',
    when: 'The request is not as the endpoint needs it: a part is missing or of the wrong kind (400), the body is too large (413), or its type is not read (415). With status 500, something was not foreseen: then the log has the reason, under the id that the details name.',
    todo: 'Look at the status first. For requests of your own, correct what the details name. For a 500, search the log of the service for the id.',
    details: '["The property \'content\' is missing."]',
  },
  SVC_S2002: {
    told: 'in answers',
    when: 'No endpoint has this path with this method. Often the address in the app has a path of its own, or is that of another service.',
    todo: 'Give SDKs the address without a path, such as `http://127.0.0.1:8080`. A proxy must pass paths on as they are.',
    details: 'The path GET "/sync" does not exist on this server.',
  },
  SVC_S2003: {
    told: 'in answers',
    when: 'The service ends, and takes no new streams. Those that run are ended in order.',
    todo: 'Nothing: SDKs try again by themselves, and find the next process.',
  },
  SVC_S2004: {
    told: 'in answers',
    when: 'A client connects by WebSocket, and its payloads are neither JSON nor BSON, or not both of one kind.',
    todo: "This comes from software that is not one of PowerSync's SDKs, or from a very old SDK. Send `application/json` or `application/bson` as both MIME types.",
    details: 'Metadata and data must both be application/json, or both application/bson.',
  },
  SVC_S2302: {
    told: 'in answers',
    when: 'A client connects, and no sync config has ever become active: none is deployed, or the first one still copies its tables.',
    todo: '`headwater status` says which of the two. Deploy one, or wait: SDKs try again by themselves.',
    details: 'Deploy a sync config, or wait until the first one has copied its tables.',
  },
  SVC_S2304: {
    told: 'in answers',
    when: 'As many clients are connected by WebSocket as `max_concurrent_connections` allows.',
    todo: 'Raise `api.parameters.max_concurrent_connections`, or run more processes with the role `api`. If there are more connections than apps, look for an app that opens one each time that it is shown.',
    details: 'Close other connections, or try again later.',
  },
  SVC_S2305: {
    told: 'in answers',
    when: 'With `over_limit: client`: a client would have more buckets than `max_buckets_per_connection`, or its streams look up more values than `max_parameter_query_results`; both are 1000 unless changed under `api.parameters`. Each value that a stream compares with makes a bucket. By default (`over_limit: stream`), nobody is refused: only the streams and subscriptions that do not fit are left out, and the client is told with each checkpoint.',
    todo: 'The details name the stream. Select by something that fewer values differ in, such as the project instead of each of its tasks; the editor shows after each stream how many buckets a client gets from it. Or let the app subscribe to what is on screen.',
    details:
      'It would have 2000 buckets, and the limit of one client is 1000. Buckets by stream: tasks (1990), lists (10). Fewer, larger buckets help: select by something that fewer values differ in.',
  },
  SVC_S2402: {
    told: 'in answers',
    when: 'With the storage in a PostgreSQL database, a process learns from it what others have stored. It says something to itself through the storage every two seconds. When nothing has come back for ten seconds, it no longer knows what is new: its readiness fails, clients are disconnected and refused, and diagnostics say so. It connects again by itself.',
    todo: 'Look whether the database runs, and whether the network reaches it. If the service does not start for this reason, a pooler in transaction mode stands in between: connect to PostgreSQL itself, or through a pooler in session mode.',
    details:
      'This process hears nothing of its storage, so that it does not know what is new: it serves no clients until it does.',
  },
  SVC_S2403: {
    told: 'in answers',
    when: 'Something that the service has stored is not what it wrote: a disk, a cable or the memory of the machine has changed it. Each stored row has a checksum, so it is noticed before it is used. In a PostgreSQL storage, the server notices it where its pages have checksums.',
    todo: 'Nothing right now: damaged rows are never sent, and the service copies everything anew from the source by itself. Clients whose rows are not affected go on; the others try again until the new copy serves. Then look at the disk, and at the memory: this is seldom the only place.',
    details: 'Everything is copied anew. Try again later.',
  },
  SVC_S4104: {
    told: 'in answers',
    when: 'What is active is asked for, or is to be copied anew, and nothing is: no sync config was deployed yet, or the first one still copies its tables.',
    todo: 'Deploy one. `headwater status` tells how far a first one is.',
  },
  SVC_S4105: {
    told: 'in answers',
    when: 'The service config names the sync config itself, by `sync_config`, or the environment does. Then the API does not deploy: at the next start, the file would win again.',
    todo: 'Change the file that the details name, and restart the service. To deploy through the API instead, remove `sync_config` from the service config.',
    details: 'It comes from `sync_config.content`: change it there, and restart the service.',
  },
  SVC_S4106: {
    told: 'in answers',
    when: 'Everything was to be copied anew, while a deployment is being processed.',
    todo: 'Wait until it is active; `headwater status` tells how far it is. A deploy, other than a reprocess, takes the place of what is being processed.',
  },
  SVC_S4107: {
    told: 'in answers',
    when: 'The source database was to be dropped and made again. Only the embedded one can be: it belongs to the service, and scripts of the project make it. Any other database is read, and nothing else.',
    todo: 'Reset that database with the tools that made it. The service notices when its replication slot is gone, and copies all rows anew.',
  },
  SVC_S0102: {
    told: 'on the terminal',
    when: '`teardown` drops the replication slots and deletes all that the service has stored, so it wants to be asked for in capitals.',
    todo: 'Run `node dist/service.js teardown TEARDOWN`, if you mean it. The source database keeps its rows.',
    says: '[SVC_S0102] This deletes everything that the service has stored: write `teardown TEARDOWN`.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
