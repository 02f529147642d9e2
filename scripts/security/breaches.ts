/** For each promise of docs/SECURITY.md, the smallest change of the product that breaks it. See `../security.ts`. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the product's code.
import type { Edit } from '../../test/support/house/edits.ts';

/** Gives scripts and clients the role of the superuser. */
const superuser: readonly Edit[] = [
  {
    file: 'server/service/replication/embedded/database/confinement/login.ts',
    from: '  await becomeUser(database, engine);\n',
    to: '  void becomeUser;\n',
  },
  {
    file: 'server/service/replication/embedded/database/confinement/login.ts',
    from: '  await refuseSuperuser(database);\n',
    to: '  void refuseSuperuser;\n',
  },
];

export const breaches: Readonly<Record<string, readonly Edit[]>> = {
  'Each sentence names, in a comment of its source, the test that fails if the sentence is no longer true.': [
    { file: 'docs/SECURITY.md', from: ' <!-- no test: about this page -->', to: '' },
  ],

  '**A user of an app** has a token signed with a key of `client_auth`, and gets the rows that the sync config gives them.':
    [
      {
        file: 'server/engine/plan/evaluate/requests.ts',
        from: 'if (route.passes(evaluation.scope)) walk.tuples',
        to: 'walk.tuples',
      },
    ],
  'Malformed messages from it are expected and rejected.': [
    {
      file: 'server/service/replication/postgres/log/walMessages.ts',
      from: "if (at > bytes.length) throw unreadableMessage('it is truncated');",
      to: '',
    },
  ],
  '**The files of a workspace** cannot run a program, and cannot decide where a token goes.': [
    { file: 'client/cli/init/tracked.ts', from: "    ...['-c', 'core.fsmonitor=false'],\n", to: '' },
  ],
  '**Everybody else** who reaches the port, or has another account on the machine, gets nothing.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: 'else if (authorization !== undefined || !access.console?.isSignedIn(request)) access',
      to: 'else if (authorization === undefined) access',
    },
  ],

  'A token identifies its user only if its signature is valid.': [
    {
      file: 'server/service/http/auth/signature.ts',
      from: "return isRight ? Buffer.from(payload, 'base64url') : undefined;",
      to: "return isRight || true ? Buffer.from(payload, 'base64url') : undefined;",
    },
  ],
  'The service also checks the algorithm, the audience, the lifetime and the key of each token.': [
    {
      file: 'server/service/http/auth/claims.ts',
      from: 'if (audiences.some((audience) => accepted.some((one) => one === audience))) return;',
      to: 'if (audiences.length > 0) return;',
    },
  ],
  'A public key is never used as a secret.': [
    { file: 'server/service/http/auth/keys.ts', from: "RSA: ['RS256',", to: "RSA: ['HS256', 'RS256'," },
    {
      file: 'server/service/http/auth/signature.ts',
      from: "if (type === 'secret') return isSignedBySecret;",
      to: "if (type === 'secret' || asymmetricKeyType === 'rsa') return isSignedBySecret;",
    },
    {
      file: 'server/service/http/auth/signature.ts',
      from: 'createHmac(`sha${algorithm.slice(2)}`, key)',
      to: "createHmac(`sha${algorithm.slice(2)}`, key.type === 'secret' ? key : key.export({ type: 'spki', format: 'pem' }))",
    },
  ],
  'A key set is fetched only from allowed addresses, and within limits of time and size.': [
    {
      file: 'server/service/http/auth/download.ts',
      from: "if (rules.rejectsHost(host)) throw new ServiceError('SVC_S2203');",
      to: '',
    },
  ],
  'Tokens with unknown keys do not make the service fetch a key set again and again.': [
    {
      file: 'server/service/http/auth/keySet.ts',
      from: 'if (idle < pauseAfter(state.attempts)) return undefined;',
      to: '',
    },
  ],
  'While a key set cannot be fetched, clients do not wait for it if their token names no key and a key of the config has signed it.':
    [
      {
        file: 'server/service/http/auth/userTokens.ts',
        from: 'kid === undefined ? withoutKid(keys.fixed) : []',
        to: '[] as readonly TokenKey[]',
      },
    ],
  'A user gets the rows that the sync config gives them, and no others.': [
    {
      file: 'server/engine/plan/evaluate/rows.ts',
      from: 'if (!passesAll(row, step.tests)) continue;',
      to: '',
    },
  ],
  'A stream ends when its token expires.': [
    {
      file: 'server/service/sync/stream.ts',
      from: 'if (isExpired) stop();\n    else watchToken();',
      to: 'if (!isExpired) watchToken();',
    },
  ],
  'For a client that does not read, the service reads only a small part of the rows ahead.': [
    {
      file: 'server/service/sync/cohorts/alone.ts',
      from: 'if (!isHeld) await send(output);',
      to: 'if (!isHeld) void send(output);',
    },
  ],
  'A client that does not read does not delay the others, and is sent only the newest rows when it reads again.':
    [
      {
        file: 'server/service/sync/cohorts/cohorts.ts',
        from: 'if (seat.taken !== undefined) return this.#release(seat, nothingNew);',
        to: '',
      },
    ],
  'A client that does not read is disconnected after its token has expired.': [
    {
      file: 'server/service/http/streamEnd.ts',
      from: 'if (!response.writableFinished || !isUsed) socket.destroy();',
      to: '',
    },
  ],
  'No user sees the write checkpoints of another user, whatever their ids are.': [
    {
      file: 'server/service/storage/writeCheckpointKeys.ts',
      from: 'const user = isPlain ? userId : `/${userId.length}/${userId}`;',
      to: 'const user = isPlain ? userId : userId;',
    },
  ],
  'If a user invents clients, the service remembers only the last thousand.': [
    {
      file: 'server/service/storage/writeCheckpointKeys.ts',
      from: 'mostWriteCheckpoints = 1_000;',
      to: 'mostWriteCheckpoints = 1_000_000;',
    },
  ],
  'A process that hears nothing from its storage does not let clients believe that they are up to date.': [
    {
      file: 'server/service/ground/hearing.ts',
      from: 'return later.asked < patience.giveUp ? ask(later) : renew(later);',
      to: 'return ask(later);',
    },
  ],
  'A client over `max_concurrent_connections` is refused with an error that says so.': [
    {
      file: 'server/service/sync/rsocket/sockets.ts',
      from: 'if (admitted + elsewhere() >= maxConnections) return false;',
      to: '',
    },
  ],

  'Any bytes over HTTP or WebSocket get a documented error or are cut off; the service does not fail and keeps nothing open for them.':
    [
      {
        file: 'server/service/http/server.ts',
        from: 'slices.add(() => refuseGarbage(error, socket)),',
        to: 'slices.add(() => void [error, socket]),',
      },
    ],
  'Over RSocket without a token, the answer is hardly longer than the request.': [
    {
      file: 'server/service/sync/rsocket/connection.ts',
      from: 'errorFrame(0, errorCodes.rejectedSetup, text)',
      to: 'errorFrame(0, errorCodes.rejectedSetup, text.repeat(100))',
    },
  ],
  'Several hundred malformed requests, each of which breaks one rule, are refused with a code or cut off, and none of them smuggles another request.':
    [
      {
        file: 'server/service/http/server.ts',
        from: '      noDelay: true,\n',
        to: '      noDelay: true,\n      insecureHTTPParser: true,\n',
      },
    ],
  'Bytes that are not HTTP get a refusal and nothing else.': [
    {
      file: 'server/service/http/server.ts',
      from: "endWithError(socket, garbage[error.code ?? ''] ?? noHttp);",
      to: 'socket.end(String(error));',
    },
  ],
  'A body is read up to a limit.': [
    {
      file: 'server/service/http/body.ts',
      from: 'if (size > limit || announced > limit)',
      to: 'if (size > 100 * limit)',
    },
  ],
  'The keys of a body only become parameters, even keys such as `__proto__`.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: 'const parameters = { ...queryOf(request), ...body.parameters };',
      to: 'const parameters: Parameters = Object.assign(queryOf(request), body.parameters);',
    },
  ],
  'Any bytes are read as a frame or refused, without an exception.': [
    {
      file: 'server/service/sync/rsocket/frames.ts',
      from: 'if (error instanceof RangeError) return undefined;',
      to: '',
    },
  ],
  'The BSON reader accepts the same input as the package `bson`, and reads the same values.': [
    {
      file: 'server/service/sync/rsocket/payload.ts',
      from: 'if (value instanceof Int32) return BigInt(value.value);',
      to: 'if (value instanceof Int32) return BigInt(Math.abs(value.value));',
    },
  ],
  'A socket that never sends SETUP is closed.': [
    {
      file: 'server/service/sync/rsocket/connection.ts',
      from: "if (this.#state.kind === 'expecting') this.#close(closeCodes.protocolError, 'There was no setup.');",
      to: '',
    },
  ],
  'A new service listens on this machine only.': [
    {
      file: 'server/service/config/decode.ts',
      from: "root.text('host') || '127.0.0.1'",
      to: "root.text('host') || '0.0.0.0'",
    },
  ],
  'Every route checks the token before it reads the body.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: '  const user = await admit(desk, route, request);\n  const body = await readParameters(desk, visit, route, user);',
      to: '  const body = await readParameters(desk, visit, route, undefined);\n  const user = await admit(desk, route, request);',
    },
  ],
  'A body that never ends does not take the place of a client with a token.': [
    {
      file: 'server/service/http/lobby.ts',
      from: 'if (size >= places) evictOne();',
      to: 'if (size >= places) evict();',
    },
  ],
  'Clients without a token never take the places of clients with one, over HTTP or WebSocket.': [
    {
      file: 'server/service/http/connections.ts',
      from: '        connection.leave();\n      }\n      connection.holder',
      to: '      }\n      connection.holder',
    },
  ],
  'A connection is closed and counted if it sends requests without reading answers, a body in tiny chunks, or a message in tiny fragments, with or without a token.':
    [
      {
        file: 'server/service/http/connections.ts',
        from: 'requests <= budget.requests && waitingHeaders <= budget.waitingHeaders',
        to: 'requests > 0 && waitingHeaders >= 0',
      },
    ],
  'A probe does not wait for all the requests that arrive at the same time.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: "if (routeOf(desk, request)?.group === 'probe') begin();\n      else desk",
      to: 'desk',
    },
  ],
  'A probe at the port of `telemetry.prometheus_port` does not wait behind connections to the main port.': [
    {
      file: 'server/service/assembly/listen.ts',
      from: 'routes: [...health, ...metricsOf(parts)]',
      to: 'routes: metricsOf(parts)',
    },
  ],
  'Large requests over HTTP are served in steps, one after the other, which leave half of the time for all other requests.':
    [
      {
        file: 'server/service/ground/largeSteps.ts',
        from: 'await rest(Math.min(now() - from, longestRest));',
        to: '',
      },
    ],
  'JSON and BSON with too many values are refused before they are read.': [
    {
      file: 'server/service/http/body.ts',
      from: 'hasMoreJsonValues(bytes, mostValues)',
      to: 'hasMoreJsonValues(bytes, Number.POSITIVE_INFINITY)',
    },
  ],
  'Before SETUP, a WebSocket may send only as much as a SETUP needs.': [
    { file: 'server/service/sync/rsocket/sockets.ts', from: 'if (size > mostSetup) refuse();', to: '' },
  ],
  'Before SETUP, no other frame is accepted.': [
    {
      file: 'server/service/sync/rsocket/connection.ts',
      from: "if (state.kind === 'expecting' && frame.kind !== 'setup') {",
      to: "if (state.kind === 'expecting' && frame.kind === 'other') {",
    },
  ],
  'Keepalives are limited in size and number.': [
    {
      file: 'server/service/sync/rsocket/connection.ts',
      from: 'if (data.length > mostKeepalive || window.count > keepaliveRate.most) return false;',
      to: '',
    },
  ],
  'A service that uses the published secret of an example accepts no calls from pages of other machines.': [
    {
      file: 'server/service/http/origins.ts',
      from: 'return isLoopbackOrigin(origin) ? origin : undefined;',
      to: 'return origin;',
    },
  ],

  'The API accepts only tokens of `api.tokens`.': [
    {
      file: 'server/service/http/auth/access.ts',
      from: 'if (matches.length === 0)',
      to: 'if (matches.length < 0)',
    },
  ],
  'Without `api.tokens`, the API is closed.': [
    {
      file: 'server/service/http/auth/access.ts',
      from: '    if (digests.length === 0)\n',
      to: '    if (digests.length === 0) return;\n    if (digests.length < 0)\n',
    },
  ],
  'The token of a user of an app does not open the API.': [
    {
      file: 'server/service/http/auth/access.ts',
      from: 'if (matches.length === 0)',
      to: "if (matches.length === 0 && tokenIn(authorization)?.split('.').length !== 3)",
    },
  ],
  'A config with mistakes everywhere is checked in linear time.': [
    {
      file: 'server/engine/text/nearest.ts',
      from: 'const mostOfList = 1_000;',
      to: 'const mostOfList = Number.POSITIVE_INFINITY;',
    },
  ],
  'The service keeps only the worst thousand mistakes of a config.': [
    {
      file: 'server/engine/file/shorten.ts',
      from: 'const left = found.length - worst.length;',
      to: 'const left = 0 * worst.length;',
    },
  ],
  'An error answer names at most 20 problems and counts the others.': [
    {
      file: 'server/service/ground/reasons.ts',
      from: 'export const mostReasons = 20;',
      to: 'export const mostReasons = 200;',
    },
  ],
  '`execute-sql` runs as a role that can only read.': [
    {
      file: 'server/service/replication/postgres/reading.ts',
      from: '`BEGIN READ WRITE; ${become}`',
      to: "become.slice(0, 0) + 'BEGIN'",
    },
  ],
  'It is limited in time, rows and bytes.': [
    {
      file: 'server/service/replication/postgres/reading.ts',
      from: 'most = { rows: 1000,',
      to: 'most = { rows: 5000,',
    },
  ],

  'A link signs in once.': [
    {
      file: 'server/service/console/sessions.ts',
      from: 'codes.forget(checkCode(authorization));',
      to: 'checkCode(authorization);',
    },
  ],
  'Only admins can create a link.': [
    {
      file: 'server/service/console/console.ts',
      from: "path: '/api/admin/v1/console-link',\n      access: 'admin',",
      to: "path: '/api/admin/v1/console-link',\n      access: 'public',",
    },
  ],
  'The code of a link never reaches a log.': [
    {
      file: 'server/service/console/console.ts',
      from: '`/console/#sign-in=${code}`',
      to: '`/console/?sign-in=${code}`',
    },
  ],
  'A session has two secrets: a cookie that scripts cannot read and that other sites cannot use, and a secret that only pages of the console hold.':
    [{ file: 'server/service/console/sessions.ts', from: "'HttpOnly', ", to: '' }],
  'The cookie alone opens no route of the service, whatever headers another program sends with it.': [
    {
      file: 'server/service/console/sessions.ts',
      from: 'return cookie !== undefined && cookiesIn',
      to: 'return cookie === undefined ? cookiesIn(request).length > 0 : cookiesIn',
    },
  ],
  'A page of another program on the same machine reads no data through the session, and changes nothing.': [
    {
      file: 'server/service/console/sessions.ts',
      from: 'return cookie !== undefined && cookiesIn',
      to: 'return cookie === undefined ? cookiesIn(request).length > 0 : cookiesIn',
    },
    {
      file: 'server/service/console/sessions.ts',
      from: 'if (!comesFromPage(request) || foreignName(request) !== undefined) return false;',
      to: '',
    },
  ],
  'The console is available only under the names of the service and those of `console.hosts`, so no site gets in by DNS rebinding.':
    [
      {
        file: 'server/service/console/hosts.ts',
        from: 'return name !== undefined && isOurs(name) ? undefined : named;',
        to: 'return name === undefined || named.length > 1_000 ? named : undefined;',
      },
    ],
  'A session ends after 12 hours or when the service stops, and the page says so.': [
    {
      file: 'server/service/console/sessions.ts',
      from: 'session: 12 * 3_600_000',
      to: 'session: 24 * 3_600_000',
    },
  ],
  'The secrets of a session never reach a log.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: '    ms: desk.world.clock.steady() - begun,\n',
      to: "    ms: desk.world.clock.steady() - begun,\n    page: String(request.headers['x-headwater-console']),\n",
    },
  ],
  'The page runs and loads only its own files, and cannot be shown in a frame.': [
    { file: 'server/service/console/page.ts', from: ', "frame-ancestors \'none\'"', to: '' },
    { file: 'server/service/console/page.ts', from: "  'X-Frame-Options': 'DENY',\n", to: '' },
  ],
  'The console writes rows only to the embedded database.': [
    { file: 'client/console/data/data.tsx', from: 'canWrite.value = false;', to: 'canWrite.value = true;' },
  ],
  'If the console is off, no rows are written.': [
    {
      file: 'server/service/api/writeRow.ts',
      from: 'if (!hasConsole)',
      to: 'if (!hasConsole && table === undefined)',
    },
  ],

  'The log of requests contains no query, no body and no token.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: '`${method} ${path.slice(0, 200)}`',
      to: '`${method} ${request.url ?? path}`',
    },
  ],
  'Secrets of the config are removed from everything that is logged.': [
    {
      file: 'server/service/ground/logLines.ts',
      from: "(rest, secret) => rest.replaceAll(secret, '[secret]')",
      to: '(rest) => rest',
    },
  ],
  'Bytes from the network cannot look like a log line of the service.': [
    { file: 'server/service/ground/logLines.ts', from: '${visible(message)}', to: '${message}' },
  ],
  'After an unexpected failure, the answer contains an id instead of the reason.': [
    {
      file: 'server/service/http/dispatch.ts',
      from: '`The log of the service has details under the id ${id}.`',
      to: '`${(cause as Error).message} ${id}`',
    },
  ],
  'The reason for a refused token does not contain the token.': [
    {
      file: 'server/service/http/auth/userTokens.ts',
      from: "refusal('The signature of the token is wrong.')",
      to: 'refusal(`The signature of ${token} is wrong.`)',
    },
  ],

  'An agent reads nothing outside the workspace, whatever name or link it uses.': [
    {
      file: 'client/cli/agents/agentWorld.ts',
      from: "if (!isInside(path)) throw Object.assign(new Error('outside'), { code: 'EOUTSIDE' });",
      to: 'isInside(path);',
    },
  ],
  'It changes only the local service.': [
    {
      file: 'client/cli/agents/judge.ts',
      from: '{ ...options, service: await findLocalUrl(inside) }',
      to: 'options',
    },
    {
      file: 'client/cli/agents/agentWorld.ts',
      from: "if (reach !== 'reads the target' && !readAddress",
      to: "if (reach === 'nothing' && !readAddress",
    },
  ],
  'It cannot name another service.': [
    {
      file: 'client/agents/tools/service.ts',
      from: '    directory: {\n',
      to: '    service: fileInput,\n    directory: {\n',
    },
  ],
  'It writes no files.': [
    {
      file: 'client/cli/agents/agentWorld.ts',
      from: '    write: readOnly,\n    writePrivately: readOnly,\n    create: readOnly,\n',
      to: '',
    },
    {
      file: 'client/cli/agents/agentWorld.ts',
      from: 'isFolder: (path) => isInside(path) && files.isFolder(path),',
      to: "isFolder: (path) => {\n      void files.write('left.txt', path).catch(() => {});\n      return isInside(path) && files.isFolder(path);\n    },",
    },
  ],
  'No answer contains a secret from a file or a variable.': [
    {
      file: 'client/agents/callTool.ts',
      from: 'judge.withoutSecrets(answerText(draft, { from, mostTokens }))',
      to: 'answerText(draft, { from, mostTokens })',
    },
  ],
  'Names that look like instructions are quoted in answers, and none of their characters are hidden.': [
    { file: 'client/agents/budget.ts', from: '\\u200b-\\u200f', to: '' },
  ],
  'Malformed or huge calls are refused, very many calls are answered, and the calls after them still work.': [
    {
      file: 'client/agents/session.ts',
      from: 'const message = line === undefined ? tooLong : readMessage(line);',
      to: "const message = readMessage(line ?? '');\n    void tooLong;",
    },
  ],

  'A log message that cannot be read ends the stream with a code; no row is read from half a message, and the same bytes give the same changes, however they are split on the way.':
    [
      {
        file: 'server/service/replication/postgres/log/walMessages.ts',
        from: 'const from = claim(length);',
        to: 'const from = claim(Math.min(length, bytes.length - at));',
      },
    ],
  'Certificates are checked as `sslmode` says.': [
    {
      file: 'server/service/postgres/socket.ts',
      from: 'rejectUnauthorized: true',
      to: 'rejectUnauthorized: false',
    },
  ],
  'The service does not connect to forbidden addresses.': [
    {
      file: 'server/service/postgres/socket.ts',
      from: 'if (rules.rejectsHost(host)) socket.destroy(rejectionOf(host));\n    else connect',
      to: 'connect',
    },
  ],
  'Clients show only states that PostgreSQL has committed, even after kills and faults.': [
    {
      file: 'server/service/replication/rows/rowChange.ts',
      from: 'ops.push(...removals(left, subkey));',
      to: '',
    },
  ],
  'The service notices a storage or a source that was restored from a backup, a different server, and a slot that somebody else changed.':
    [
      {
        file: 'server/service/replication/jobs/history.ts',
        from: 'if (confirmed > acknowledged)',
        to: "if (confirmed === 'none')",
      },
    ],
  'The service notices a different database at the address of the source, and a log that has diverged.': [
    {
      file: 'server/service/replication/jobs/history.ts',
      from: 'if (origin.system !== system)',
      to: "if (origin.system === 'none')",
    },
  ],
  'If a standby takes over without the last changes, the tables are copied again.': [
    {
      file: 'server/service/replication/jobs/history.ts',
      from: 'end !== undefined && end < read',
      to: 'end === undefined && name === undefined',
    },
    {
      file: 'server/service/replication/jobs/history.ts',
      from: 'passed !== undefined && passed.last > confirmed ? passed : undefined',
      to: 'passed?.last === confirmed ? passed : undefined',
    },
    { file: 'server/service/replication/jobs/history.ts', from: 'last > own.end', to: "last === 'none'" },
  ],
  'A table that was not published for a while is copied again.': [
    {
      file: 'server/service/replication/rows/tableShape.ts',
      from: "if (before.membership !== now.membership) changes.push({ kind: 'membership' });",
      to: '',
    },
  ],
  'The values of a column that was dropped and created again are not served.': [
    {
      file: 'server/service/replication/rows/tableShape.ts',
      from: "if (number !== before.columns[column]) return [{ kind: 'replaced', column }];",
      to: '',
    },
  ],
  'Differences between the source and the storage are found and repaired.': [
    { file: 'server/service/verification/compareTable.ts', from: '    wrong.set(key, lists);\n', to: '' },
  ],
  'Two processes never replicate the same deployment at once.': [
    {
      file: 'server/service/storage/postgres/lease.ts',
      from: '`SELECT FROM ${table} WHERE deployment = $1 AND expires_at < clock_timestamp()`',
      to: '`SELECT FROM ${table} WHERE deployment = $1`',
    },
    {
      file: 'server/service/storage/postgres/lease.ts',
      from: 'WHERE deployment = $1 AND expires_at < clock_timestamp() RETURNING 1',
      to: 'WHERE deployment = $1 RETURNING 1',
    },
  ],

  'After corruption of a file of the embedded storage, the service starts and serves every row, and its log says what was corrupt.':
    [
      {
        file: 'server/service/storage/embedded/storage.ts',
        from: "    world.log.write('error', message, error.cause instanceof Error ? { found: error.cause.message } : {});\n",
        to: '    void message;\n',
      },
    ],
  'It does not serve wrong rows, and keeps the deployed sync config.': [
    {
      file: 'server/service/storage/embedded/soundness.ts',
      from: "if (table !== undefined) return { kind: 'corrupt', found: `a row of ${table} differs from its checksum` };",
      to: 'void table;',
    },
  ],
  'If the file becomes corrupt while the service runs, each client gets an answer, the log and the diagnostics say so, and clients get all rows again.':
    [
      {
        file: 'server/service/storage/embedded/storage.ts',
        from: 'openDatabase(folder, { hasZstd, onUnusable, openLog })',
        to: 'openDatabase(folder, { hasZstd, onUnusable: () => {}, openLog })',
      },
    ],
  'If no deployed sync config can be read from a corrupt storage, diagnostics say so.': [
    {
      file: 'server/service/storage/embedded/storage.ts',
      from: '? { ...storage, lostConfig: describeLostConfig(folder) }',
      to: '? { ...storage }',
    },
  ],
  'With a full disk, too few file handles or little memory, the service continues and loses nothing.': [
    {
      file: 'server/service/storage/storageFailure.ts',
      from: 'return free * found.bsize < leastRoom ? describeFullDisk(folder) : undefined;',
      to: 'return free * found.bsize < 0 * leastRoom ? describeFullDisk(folder) : undefined;',
    },
  ],
  'More idle connections than there are file handles keep out no client with a token that tries again, if they come from other addresses than the client.':
    [
      {
        file: 'server/service/assembly/openGuard.ts',
        from: '    ...placesFor(readHandleLimit()),\n',
        to: '',
      },
      {
        file: 'server/service/http/server.ts',
        from: 'headers: 10_000, request: 60_000',
        to: 'headers: 10_000_000, request: 60_000_000',
      },
    ],
  'When memory is short, the service closes connections without a token first, then idle ones, then streams that nobody reads, and logs it.':
    [
      {
        file: 'server/service/assembly/overload.ts',
        from: 'if (part >= isShortFrom) return nextOf[state];',
        to: "if (part >= isShortFrom) return 'unread';",
      },
    ],
  'No periodic or background work of the service can end its process.': [
    {
      file: 'server/service/assembly/overload.ts',
      from: '  let closed = 0;\n',
      to: '  let closed = 0;\n  setInterval(() => readUse(), 1_000);\n',
    },
  ],
  'A failure of such work is counted each time and logged once.': [
    { file: 'server/service/ground/unattended.ts', from: 'if (logged.has(kind)) return;', to: '' },
  ],
  'A clock that jumps gives nobody access and loses no rows.': [
    {
      file: 'server/service/http/auth/claims.ts',
      from: "if (expiresAt < now - tolerance) throw new ServiceError('SVC_S2103', 'The time in `exp` has passed.');",
      to: '',
    },
  ],
  'It does not make a probe fail, and does not disconnect a client whose token is still valid.': [
    {
      file: 'server/service/http/probes.ts',
      from: 'touchedSteadily: clock.steady() });',
      to: 'touchedSteadily: clock.steady() + clock.now() - started });',
    },
    {
      file: 'server/service/http/probes.ts',
      from: '  const moment = () =>',
      to: '  const started = clock.now();\n  const moment = () =>',
    },
  ],
  'Two processes never open the same folder.': [
    {
      file: 'server/service/ground/folderLock.ts',
      from: '    if (!isBusy(error)) throw error;\n    throw new FolderInUse',
      to: '    if (isBusy(error)) return () => {};\n    throw new FolderInUse',
    },
  ],
  'Other users of the machine cannot read what the service, `dev` and `init` write.': [
    {
      file: 'server/service/ground/privateFiles.ts',
      from: 'process.umask(others);',
      to: 'process.umask(0);',
    },
  ],
  'The embedded database asks its clients for a password.': [
    {
      file: 'server/service/replication/embedded/database/scram.ts',
      from: 'if (!timingSafeEqual(storedKey, verifier.storedKey)) return undefined;',
      to: 'timingSafeEqual(storedKey, verifier.storedKey);',
    },
  ],
  'The embedded database ends with its service, even if the service is killed.': [
    {
      file: 'server/service/replication/embedded/database/main.ts',
      from: "process.on('disconnect', () => process.exit(0));\n",
      to: '',
    },
    {
      file: 'server/service/replication/embedded/database/parent.ts',
      from: "new Socket({ fd: 0 }).on('error', end).on('close', end).resume();",
      to: 'void [Socket, end];',
    },
  ],
  'SQL in the embedded database has no superuser rights, whether it comes from scripts, clients or access tests.':
    superuser,
  'It cannot read or write files, connect to anything, run programs, or change catalogs or tables of the service.':
    superuser,
  'Even a superuser of the embedded database reaches no program, no JavaScript and no file of the service.': [
    {
      file: 'server/service/replication/embedded/database/confinement/confine.ts',
      from: 'if (!isOfDatabase(name)) throw new ErrnoError(errors.notFound);',
      to: '',
    },
  ],
  'A statement that never ends, needs too much memory or ends the embedded database is left out and reported with its file and line.':
    [
      {
        file: 'server/service/replication/embedded/scripts/fatalStatements.ts',
        from: 'if (isCertain || suspects.has(key)) places.push(place);',
        to: 'if (isCertain || suspects.has(key)) places.push({ ...place, start: 0 });',
      },
    ],
  'While the embedded database does not answer, the service is not ready.': [
    {
      file: 'server/service/replication/embedded/heartbeat.ts',
      from: 'if (missed >= patience || isSilent()) lose(explain());',
      to: 'void [patience, isSilent, explain];',
    },
  ],
  'A flipped bit on the disk is noticed when it is read, and never served.': [
    {
      file: 'server/service/storage/embedded/runs/runRows.ts',
      from: 'if (isSound(row[11], checkOfRun(bucket, texted))) return texted;\n  throw damagedRun(row[0]);',
      to: 'return isSound(row[11], checkOfRun(bucket, texted)) ? texted : texted;',
    },
  ],

  'Any text is analysed in linear time and without an exception.': [
    {
      file: 'server/engine/index.ts',
      from: 'const topLevel = findSections(text);',
      to: "if (text.includes('\\0')) throw new Error('NUL');\n  const topLevel = findSections(text);",
    },
  ],
  'A service config means the same in the editor and in the service, even half typed.': [
    {
      file: 'server/engine/service/violations.ts',
      from: "finding('service-wrong-type'",
      to: "finding('service-missing-storage'",
    },
  ],
  'A token is stored for one address; another address with the same name does not get it.': [
    {
      file: 'client/vscode/targets/tokens.ts',
      from: "function keyOf({ url = '' }: Target): string {\n  return `token:${URL.canParse(url) ? new URL(url).origin : url}`;",
      to: 'function keyOf({ name }: Target): string {\n  return `token:${name}`;',
    },
  ],
  'Before a deploy to an address that is not in `headwater.allowDeployTo`, the editor asks the user.': [
    {
      file: 'client/vscode/targets/consent.ts',
      from: "if (name.startsWith('*.')) return hostname.endsWith(name.slice(1));",
      to: "if (name.startsWith('*.')) return hostname.endsWith(name.slice(2));",
    },
  ],
  'The settings of a folder can only remove hosts from that list.': [
    {
      file: 'client/vscode/targets/consent.ts',
      from: 'return user.filter((host) => folder.includes(host));',
      to: 'return [...user, ...folder];',
    },
  ],
  'Before the user agrees, no token goes to a machine that only a file of the folder names, and no variable of another tool is used as a token.':
    [
      {
        file: 'client/project/trust.ts',
        from: "const isForeign = namedBy === 'folder' && !loopback;",
        to: "const isForeign = namedBy === 'folder' && !loopback && origin === '';",
      },
    ],
  'A service config that came with a repository reads and writes nothing outside the repository before the user agrees, by whatever path, link or variable.':
    [
      {
        file: 'server/service/config/confinement.ts',
        from: 'if (!isAllowed(path)) return [problemOf(`${name} is outside the project. ${remedy}`, place)];',
        to: 'void [isAllowed, remedy];',
      },
    ],
  '`init` does not replace a secret that the user has.': [
    {
      file: 'client/cli/init/additions.ts',
      from: '.filter(([name]) => !before[name])',
      to: ".filter(([name]) => name !== '' && before !== undefined)",
    },
  ],
  'It makes the file readable only by its owner, and follows no link out of the repository.': [
    { file: 'client/cli/process/disk.ts', from: 'owner: 0o600', to: 'owner: 0o666' },
  ],
  'A repository cannot run a program by its Git settings when `init` asks Git.': [
    { file: 'client/cli/init/tracked.ts', from: "    ...['-c', 'core.fsmonitor=false'],\n", to: '' },
  ],
  'SQL files of access tests, and those that create the tables, run in a database in memory, which cannot reach the files of the machine.':
    superuser,
  'A statement may take at most ten seconds.': [
    {
      file: 'server/service/replication/embedded/temporary.ts',
      from: 'database.load({ ...load, scripts: some }, longest)',
      to: 'database.load({ ...load, scripts: some }, longest * 1_000)',
    },
  ],
  'A file outside the project is not read.': [
    {
      file: 'client/cli/test/seeds.ts',
      from: "if (!isInside(root, place, world)) return refuse('outside');",
      to: '',
    },
  ],
  'Settings that name services or folders apply only in trusted workspaces.': [
    { file: 'package.json', from: '        "headwater.allowDeployTo",\n', to: '' },
  ],
  'No database runs SQL files of a workspace that is not trusted.': [
    {
      file: 'server/lsp/connection.ts',
      from: "readClientOptions(client).sql === 'only read' ? withoutDatabases(host) : host",
      to: 'host',
    },
  ],
  'The extension finds its local service by a file that contains a port of this machine; an address in the file is ignored.':
    [
      {
        file: 'client/local/record.ts',
        from: 'export function urlOf({ port }: { readonly port: number }): string {\n  return `http://127.0.0.1:${port}`;',
        to: 'export function urlOf({ port, url }: { readonly port: number; readonly url?: string }): string {\n  return url ?? `http://127.0.0.1:${port}`;',
      },
    ],
  'SQL of a project runs in the local database and cannot reach files, programs or other databases.': [
    ...superuser,
    {
      file: 'server/service/replication/embedded/loading/step.ts',
      from: "if (first === 'copy') return { kind: 'skip', reason: 'files' };",
      to: '',
    },
  ],

  'No page, template or message names a command that downloads a program by a name without an owner.': [
    {
      file: 'docs/CI.md',
      from: 'tokens. The commands on this page',
      // A test also searches this file for such commands, so the text is split into two parts.
      to: `tokens. Run \`${'npx'} headwater validate\`. The commands on this page`,
    },
  ],
  'Bundles contain the packages that we list, and no others.': [
    {
      file: 'server/engine/text/nearest.ts',
      from: "import { compareTexts } from './order.ts';",
      to: "import { base64url } from 'jose';\nimport { compareTexts } from './order.ts';\nObject.assign(globalThis, { base64url });",
    },
  ],
  'Every package has a permissive licence, and the text is included.': [
    {
      file: 'scripts/notices/licences.ts',
      from: "return plain.split(' AND ').every((one) => permissive.has(one));",
      to: 'return plain.length > 0;',
    },
  ],
  'Releases are built from the tag, by a workflow with pinned steps.': [
    {
      file: '.github/workflows/publish.yml',
      from: 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683',
      to: 'actions/checkout@v4',
    },
  ],
};
