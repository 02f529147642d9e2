/** Reports the clients of a worker to the primary: the worker sends changes, and the primary keeps the result. */
import { requestDocument } from '../../engine/plan/evaluate/scope.ts';
import type { ConnectedClient } from '../sync/clients.ts';

export interface ClientsReport {
  readonly changed: readonly ClientReport[];
  /** The numbers of the clients that have left. */
  readonly gone: readonly number[];
  /** Whether there are more changes to report. */
  readonly hasMore: boolean;
}

interface ClientReport {
  readonly id: number;
  /** Present in the first report of a client. */
  readonly identity?: ClientIdentity;
  readonly position: Position | undefined;
  readonly share: ReturnType<ConnectedClient['share']>;
}

type Position = NonNullable<ReturnType<ConnectedClient['position']>>;

type ClientIdentity = Pick<
  ConnectedClient,
  'userId' | 'clientId' | 'transport' | 'appMetadata' | 'subscriptions' | 'since' | 'claims'
> & {
  /** The parameters of the connection, as JSON text. */
  readonly connection: string;
};

interface Known {
  readonly id: number;
  report: Pick<ClientReport, 'position' | 'share'>;
}

/** The maximum number of clients in one report, so that other work does not wait for a long one. */
const mostReported = 500;

/** Opens the worker's side, which reports the changes since the last call. */
export function openClientReports(clients: () => readonly ConnectedClient[]): () => ClientsReport {
  const known = new Map<ConnectedClient, Known>();
  let last = 0;
  const reportOf = (client: ConnectedClient): ClientReport | undefined => {
    const report = { position: client.position(), share: client.share() };
    const before = known.get(client);
    if (before !== undefined) {
      if (isSame(before.report, report)) return undefined;
      before.report = report;
      return { id: before.id, ...report };
    }
    last += 1;
    known.set(client, { id: last, report });
    return { id: last, identity: identityOf(client), ...report };
  };
  return () => {
    const present = clients();
    const here = new Set(present);
    const left = [...known].filter(([client]) => !here.has(client));
    for (const [client] of left) known.delete(client);
    const changed: ClientReport[] = [];
    for (const client of present) {
      if (changed.length === mostReported) break;
      const report = reportOf(client);
      if (report !== undefined) changed.push(report);
    }
    return { changed, gone: left.map(([, { id }]) => id), hasMore: changed.length === mostReported };
  };
}

function identityOf(client: ConnectedClient): ClientIdentity {
  const { userId, clientId, transport, appMetadata, subscriptions, since, claims, connection } = client;
  return {
    userId,
    clientId,
    transport,
    appMetadata,
    subscriptions,
    since,
    claims,
    connection: connection.text,
  };
}

function isSame(one: Known['report'], other: Known['report']): boolean {
  return (
    one.share.buckets === other.share.buckets &&
    isSamePosition(one.position, other.position) &&
    isSameList(
      one.share.failing.map(({ name }) => name),
      other.share.failing.map(({ name }) => name),
    )
  );
}

function isSamePosition(one: Position | undefined, other: Position | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.opId === other.opId && one.complete === other.complete && isSameList(one.buckets, other.buckets);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

interface ReportedClients {
  readonly take: (report: ClientsReport) => void;
  readonly all: () => readonly ConnectedClient[];
}

interface ClientEntry {
  readonly client: ConnectedClient;
  report: Pick<ClientReport, 'position' | 'share'>;
}

/** Opens the primary's side. Each client is the same object from its first report to its last. */
export function openReportedClients(): ReportedClients {
  const clients = new Map<number, ClientEntry>();
  return {
    take: ({ changed, gone }) => {
      for (const { id, identity, position, share } of changed) {
        const reported = clients.get(id);
        if (reported !== undefined) reported.report = { position, share };
        else if (identity !== undefined) clients.set(id, reportedClient(identity, { position, share }));
      }
      for (const id of gone) clients.delete(id);
    },
    all: () => [...clients.values()].map(({ client }) => client),
  };
}

function reportedClient(identity: ClientIdentity, report: ClientEntry['report']): ClientEntry {
  const reported: ClientEntry = {
    report,
    client: {
      ...identity,
      get connection() {
        return requestDocument(identity.connection);
      },
      position: () => reported.report.position,
      share: () => reported.report.share,
    },
  };
  return reported;
}
