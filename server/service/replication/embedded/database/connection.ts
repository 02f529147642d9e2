/** One client of the database. It uses the PostgreSQL protocol, and has exclusive use of the shared session during its turn. */
import type { Socket } from 'node:net';
import { outOfMemory } from './advisoryLocks.ts';
import { copyInMessages, isCopyIn, rowsIn } from './copyIn.ts';
import {
  BrokenFrame,
  bodyOf,
  errorIn,
  errorMessage,
  type Message,
  message,
  messagesIn,
  openFraming,
  readyMessage,
  type SessionStatus,
  textsIn,
} from './messages.ts';
import type { Verifier } from './scram.ts';
import type { Session } from './session.ts';
import { openSessionSettings, type SessionSettings } from './sessionSettings.ts';
import { openSignIn, type SignIn } from './signIn.ts';
import { openStatementNames, type StatementNames } from './statementNames.ts';

interface Connection {
  readonly names: StatementNames;
  readonly settings: SessionSettings;
  readonly answer: (bytes: Buffer) => void;
  /** Ends the turn. Present while this connection has the turn. */
  release: (() => void) | undefined;
  status: SessionStatus;
  /** Whether messages are being skipped up to the next Sync, after an error in the extended protocol. */
  skipping: boolean;
  /** Whether a statement of this turn found no room for its locks. */
  isOutOfLocks: boolean;
  copying: { readonly sql: string; readonly parts: Buffer[] } | undefined;
}

/** The maximum size of a sign-in message in bytes, as in PostgreSQL, so that a stranger cannot fill the memory. */
const longestSignIn = 65_535;

const protocol3 = 196_608;
const sslRequest = 80_877_103;
const gssRequest = 80_877_104;

interface ConnectionParts {
  readonly session: Session;
  readonly socket: Socket;
  readonly id: number;
  /** Verifies the password of clients. */
  readonly verifier: Verifier;
  /** How long an open transaction may wait for the client, in milliseconds. */
  readonly idle: number;
  readonly warn: (message: string) => void;
}

export async function serveConnection(parts: ConnectionParts): Promise<void> {
  const { session, socket, id, verifier, idle, warn } = parts;
  const framing = openFraming();
  let alarm: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    warn(
      `A client had a transaction open for ${idle / 1000} s without a statement. Its connection is closed, because all others waited.`,
    );
    socket.write(errorMessage('25P03', 'terminating connection due to idle-in-transaction timeout', 'FATAL'));
    socket.destroySoon();
  };
  let parameters: Parameters | undefined;
  let signIn: SignIn | undefined;
  let connection: Connection | undefined;
  socket.on('error', () => socket.destroy());
  try {
    // The socket must stay open after an error, so that the client receives the error.
    for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
      clearTimeout(alarm);
      framing.push(bytes as Buffer);
      if (connection === undefined && framing.waiting() > longestSignIn)
        throw new BrokenFrame('The client must sign in first.');
      if (parameters === undefined) {
        parameters = greet(framing.nextStartup(), socket);
        if (parameters === undefined) continue;
        signIn = openSignIn(verifier, parameters.get('user') ?? '');
        socket.write(signIn.request);
      }
      for (let each = framing.next(); each !== undefined; each = framing.next()) {
        if (each.type === 'X') return;
        if (connection === undefined && signIn !== undefined) {
          const { answer, outcome } = signIn.next(each);
          socket.write(answer);
          if (outcome === 'refused') return;
          if (outcome === 'in') connection = welcome(parameters, socket, id);
          continue;
        }
        if (connection === undefined) continue;
        await take(session, connection, each);
      }
      if (connection?.release !== undefined) alarm = setTimeout(giveUp, idle);
    }
  } catch (error) {
    if (!socket.destroyed) socket.write(errorMessage('08P01', sentenceOf(error), 'FATAL'));
  } finally {
    clearTimeout(alarm);
    if (connection !== undefined) await leave(session, connection);
    socket.end();
  }
}

/** Returns undefined if the client has not identified itself yet, or has asked for an unsupported feature. */
function greet(startup: Buffer | undefined, socket: Socket): Parameters | undefined {
  if (startup === undefined) return undefined;
  const code = startup.readInt32BE(4);
  if (code === sslRequest || code === gssRequest) {
    socket.write('N');
    return undefined;
  }
  if (code !== protocol3) throw new BrokenFrame('Only version 3 of the Postgres protocol is supported.');
  const parameters = parametersOf(startup.subarray(8));
  if (parameters.has('replication')) {
    throw new BrokenFrame(
      'The embedded database has no logical replication: the service captures its changes itself.',
    );
  }
  return parameters;
}

/** Sends the server's parameters after the sign-in, so that the client may begin. */
function welcome(parameters: Parameters, socket: Socket, id: number): Connection {
  socket.write(
    Buffer.concat([
      ...[...serverParameters].map(([name, value]) => message('S', name, value)),
      message('K', Buffer.alloc(8)),
      readyMessage('I'),
    ]),
  );
  return {
    names: openStatementNames(`c${id}_`),
    settings: openSessionSettings(parameters),
    answer: (bytes) => socket.writable && socket.write(bytes),
    release: undefined,
    status: 'I',
    skipping: false,
    isOutOfLocks: false,
    copying: undefined,
  };
}

/** The parameters that drivers read before they send their first statement. */
const serverParameters = new Map([
  ['server_version', '18.0'],
  ['server_encoding', 'UTF8'],
  ['client_encoding', 'UTF8'],
  ['DateStyle', 'ISO, MDY'],
  ['IntervalStyle', 'postgres'],
  ['TimeZone', 'UTC'],
  ['integer_datetimes', 'on'],
  ['standard_conforming_strings', 'on'],
  ['is_superuser', 'off'],
]);

type Parameters = ReadonlyMap<string, string>;

function parametersOf(body: Buffer): Parameters {
  const texts = body.toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < texts.length && texts[at] !== ''; at += 2) {
    parameters.set(texts[at] as string, texts[at + 1] as string);
  }
  return parameters;
}

async function take(session: Session, connection: Connection, each: Message): Promise<void> {
  if (connection.copying !== undefined) {
    await continueCopy(session, connection, connection.copying, each);
    return;
  }
  // These messages contain rows for a copy that has failed.
  if ('dcf'.includes(each.type)) return;
  if (!known.includes(each.type))
    throw new BrokenFrame(`invalid frontend message type ${each.type.charCodeAt(0)}`);
  if (connection.skipping && each.type !== 'S') return;
  connection.skipping = false;
  connection.release ??= await session.enter(connection.settings);
  if (each.type === 'Q' && startCopy(connection, each)) return;
  const sql = statementsIn(each);
  if (sql !== undefined) connection.settings.note(sql);
  await respond(session, connection, await session.run(connection.names.rename(each).bytes, sql));
}

/** The types of messages that PostgreSQL knows. For any other type, it would end its process. */
const known = 'QPBEDCSHF';

function statementsIn(each: Message): string | undefined {
  if (each.type === 'Q') return textsIn(bodyOf(each), 1)[0];
  return each.type === 'P' ? textsIn(bodyOf(each), 2)[1] : undefined;
}

async function respond(session: Session, connection: Connection, response: Buffer): Promise<void> {
  connection.answer(response);
  for (const each of messagesIn(response)) {
    if (each.type === 'E') connection.skipping = true;
    if (each.type === 'E' && errorIn(each).code === outOfMemory) connection.isOutOfLocks = true;
    if (each.type !== 'Z') continue;
    connection.skipping = false;
    await settle(session, connection, String.fromCharCode(each.bytes[5] as number) as SessionStatus);
  }
}

/** Ends the turn unless a transaction is open, because the turn lasts as long as the transaction. */
async function settle(session: Session, connection: Connection, status: SessionStatus): Promise<void> {
  connection.status = status;
  if (status !== 'I') return;
  if (connection.isOutOfLocks) await session.unlock();
  connection.isOutOfLocks = false;
  connection.release?.();
  connection.release = undefined;
}

function startCopy(connection: Connection, each: Message): boolean {
  const [sql = ''] = textsIn(bodyOf(each), 1);
  if (!isCopyIn(sql)) return false;
  connection.copying = { sql, parts: [] };
  connection.answer(message('G', Buffer.alloc(3)));
  return true;
}

async function continueCopy(
  session: Session,
  connection: Connection,
  { sql, parts }: NonNullable<Connection['copying']>,
  each: Message,
): Promise<void> {
  if (each.type === 'd') parts.push(Buffer.from(bodyOf(each)));
  if (each.type !== 'c' && each.type !== 'f') return;
  connection.copying = undefined;
  const messages =
    each.type === 'c' ? copyInMessages(sql, rowsIn(parts)) : Buffer.concat([message('Q', sql), each.bytes]);
  const answer = messagesIn(await session.run(messages, sql)).filter(({ type }) => type !== 'G');
  await respond(session, connection, Buffer.concat(answer.map(({ bytes }) => bytes)));
}

/** Rolls back an open transaction, and closes prepared statements. */
async function leave(session: Session, connection: Connection): Promise<void> {
  const closing = connection.names.closing();
  if (connection.release === undefined && closing.length === 0) return;
  const release = connection.release ?? (await session.enter(connection.settings));
  try {
    await session.run(message('S'));
    if (connection.release !== undefined) await session.run(message('Q', 'ROLLBACK'));
    for (const each of closing) await session.run(each);
    await session.run(message('S'));
  } finally {
    release();
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
