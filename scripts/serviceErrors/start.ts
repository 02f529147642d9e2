/** Texts about service configs with which the service does not start. It exits with code 150 and reports all problems at once. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import type { ErrorText } from './text.ts';

const postgresql = (lines: string) => `replication:
  connections:
    - type: postgresql
${lines.replace(/^(?=.)/gm, '      ')}`;

export const startErrors = {
  SVC_S1104: {
    told: 'at the start',
    when: '`verify-ca` trusts one certificate authority, and the connection does not say which.',
    todo: 'Put the certificate of the authority, in PEM format, into `cacert`, preferably from the environment; or use `verify-full`, which trusts the authorities that Node knows.',
    config: postgresql('uri: postgresql://sync:pw@db.example.com/app\nsslmode: verify-ca\n'),
  },
  SVC_S1105: {
    told: 'at the start',
    when: 'Neither the path of `uri` nor the key `database` says which database of the server to read.',
    todo: 'Add it to the URI, as in `postgresql://db.example.com/app`, or as `database: app`.',
    config: postgresql('uri: postgresql://sync:pw@db.example.com\n'),
  },
  SVC_S1106: {
    told: 'at the start',
    when: 'Neither `uri` nor the key `hostname` says where the database is.',
    todo: 'Add the host to the URI, or as `hostname`. An empty variable has the same effect as a missing one: also look at the environment of the service.',
    config: postgresql('username: sync\npassword: pw\ndatabase: app\n'),
  },
  SVC_S1107: {
    told: 'at the start',
    when: 'Neither `uri` nor the key `username` names the user.',
    todo: 'Add a user with the attribute `REPLICATION`, to the URI or as `username`.',
    config: postgresql('uri: postgresql://db.example.com/app\npassword: pw\n'),
  },
  SVC_S1108: {
    told: 'at the start',
    when: 'Neither `uri` nor the key `password` has a password. Logins without one (`trust`, `peer`) are not supported.',
    todo: 'Set `password: !env PS_DATABASE_PASSWORD`, and the variable in the environment of the service.',
    config: postgresql('uri: postgresql://sync@db.example.com/app\n'),
  },
  SVC_S1109: {
    told: 'at the start',
    when: '`uri` is not a PostgreSQL URI, or `heartbeat_interval_seconds` is not from 5 to 60.\n<!-- number: 60 from server/service/config/sourceConnection.ts "heartbeatSeconds <= 60" -->',
    todo: 'Write `postgresql://user@host/database`. Encode characters such as `@`, `:` and `/` in a user or password (`%40`, `%3A`, `%2F`), or use the separate keys, which need no encoding.',
    config: postgresql('uri: mysql://sync:pw@db.example.com/app\n'),
  },
  SVC_S1110: {
    told: 'at the start',
    when: 'The port of the source database, or of the embedded one, is not from 1024 to 65535.\n<!-- number: 1024 from server/service/config/sourceConnection.ts "port >= 1024 && port <= 65535"; 65535 from server/service/config/sourceConnection.ts "port >= 1024 && port <= 65535" -->',
    todo: 'Correct it in `uri` or `port`. To reach a server on a lower port, forward another port to it.',
    config: postgresql('uri: postgresql://sync:pw@db.example.com:543/app\n'),
  },
  SVC_S1111: {
    told: 'at the start',
    when: "A service config comes with a repository, so it may be anyone's. `headwater dev`, `headwater serve` and the local service in VS Code therefore run it only if its data, its scripts and its sync config are in the project: in the repository, or in the folder in which the command runs. Links are followed. In a container, or with `node service.js start`, a config may use any place.",
    todo: 'Move the data into the project. Or allow the place, once for each folder: answer yes when `headwater dev` asks at a terminal, or name it with `--allow`. Your permission is kept for your user, and not in the repository. In VS Code, open a folder that contains both.',
    config: 'storage:\n  type: embedded\n  path: ../other\n',
    within: ['/app'],
  },
  SVC_S2202: {
    told: 'at the start',
    when: 'The host of `jwks_uri` is an IPv6 address, and `block_local_jwks` is on.',
    todo: 'Use a host name; or replace `block_local_jwks` by `jwks_reject_ip_ranges: [local]`.',
    config: 'client_auth:\n  jwks_uri: https://[2001:db8::1]/keys\n  block_local_jwks: true\n',
  },
  SVC_S2203: {
    told: 'at the start',
    when: 'The host of `jwks_uri`, or of a database, is in a range that `jwks_reject_ip_ranges` or `reject_ip_ranges` names. An address is checked when the service starts. A name is checked each time it is resolved, so this can also occur later, as an answer to clients.',
    todo: 'Use another host, or remove the range from the list if the address is intended.',
    config: 'client_auth:\n  jwks_uri: http://127.0.0.1:3000/keys\n  jwks_reject_ip_ranges: [local]\n',
  },
  SVC_S3102: {
    told: 'at the start',
    when: '`client_auth.jwks_uri` cannot be read as a URL.',
    todo: 'Write the whole address, with `https://`. If it comes from a variable, check the value of that variable.',
    config: 'client_auth:\n  jwks_uri: auth.example.com/keys\n',
  },
  SVC_S3103: {
    told: 'at the start',
    when: 'Key sets are fetched over HTTP or HTTPS, and this address uses another protocol.',
    todo: 'Use `https://`; or put the keys themselves under `client_auth.jwks.keys`.',
    config: 'client_auth:\n  jwks_uri: file:///etc/keys.json\n',
  },
  SVC_S3201: {
    told: 'at the start',
    when: 'The service config cannot be read, a value in it is wrong, a variable that it names is not set, or its port is taken. This is also the code of every problem that has no specific code.',
    todo: 'The message lists every wrong place. `headwater validate service.yaml` finds most of them before the start, and the editor finds them while you type.',
    config: 'api:\n  tokens: [!env PS_ADMIN_TOKEN]\n',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
