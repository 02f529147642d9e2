/** The content of the map: the nodes of its three columns, with the service's numbers for each. */
import type { Diagnosis, TableStatus } from '../../api/answers.ts';
import type { DeployedMaps, MapMark, MapPlace, MapStream, SyncMap } from '../../api/syncMap.ts';
import type { WatchedClient } from '../../api/watch.ts';
import { isHeard } from '../../health/health.ts';
import { rowsOfTable, stateOfTable, type TableState } from '../../health/tableState.ts';
import { amountText } from '../parts/amounts.ts';

export const mapColumns = ['tables', 'streams', 'audiences'] as const;
export type MapColumn = (typeof mapColumns)[number];

export interface MapNode {
  readonly id: string;
  readonly column: MapColumn;
  readonly label: string;
  /** The sentence that the map shows below the name. */
  readonly summary?: string;
  readonly sentence: string;
  readonly marks: readonly MapMark[];
  /** The service's numbers about the node, as strings. */
  readonly numbers: readonly string[];
  readonly place?: MapPlace | undefined;
}

export interface MapEdge {
  readonly from: string;
  readonly to: string;
  /** `access`: the rows of the table determine which users get the stream. */
  readonly use: 'rows' | 'access';
}

export interface MapPicture {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

export interface ServiceFacts {
  readonly deployed?: DeployedMaps | undefined;
  readonly diagnosis?: Diagnosis | undefined;
  /** Absent if the service does not report the connected clients. */
  readonly clients?: readonly Pick<WatchedClient, 'user' | 'subscriptions'>[] | undefined;
}

/** Returns the picture in the order of the map. The same facts always produce the same picture. */
export function pictureOf(map: SyncMap, facts: ServiceFacts): MapPicture {
  const clientsOf = clientsByStream(map, facts.clients);
  const deployed = facts.diagnosis?.active ?? facts.diagnosis?.pending;
  // A table of the schema `public` may be named without its schema.
  const statuses = new Map(
    deployed?.tables.flatMap((status): [string, TableStatus][] => {
      const { schema, name } = status;
      const whole: [string, TableStatus] = [`${schema}.${name}`, status];
      return schema === 'public' || schema === '' ? [whole, [name, status]] : [whole];
    }),
  );
  const isKnown = facts.diagnosis !== undefined && isHeard(facts.diagnosis);
  const buckets = new Map(deployed?.streams?.map((stream) => [stream.name, stream.buckets]));
  const pendingMarks = markPending(map, facts.deployed);
  const streamsOf = new Map<string, string[]>();
  for (const { name, audiences } of map.streams)
    for (const id of audiences) {
      const names = streamsOf.get(id);
      if (names === undefined) streamsOf.set(id, [name]);
      else names.push(name);
    }
  return {
    nodes: [
      ...map.tables.map(({ id, sentence, marks, place }): MapNode => {
        const status = statuses.get(id);
        return {
          id: `table ${id}`,
          column: 'tables',
          label: id,
          sentence,
          marks: isKnown ? [...marks, ...marksOfStatus(status, marks)] : marks,
          numbers: [status && (isKnown ? rowsOfTable(status) : unknownState)].flatMap((text) => text ?? []),
          place,
        };
      }),
      ...map.streams.map(
        (stream): MapNode => ({
          id: `stream ${stream.name}`,
          column: 'streams',
          label: stream.name,
          summary: stream.summary,
          sentence: stream.sentence,
          marks: [...stream.marks, ...pendingMarks(stream)],
          numbers: [
            ...bucketsText(buckets.get(stream.name)),
            ...clientsText(clientsOf?.get(stream.name)?.size),
          ],
          place: stream.place,
        }),
      ),
      ...map.audiences.map(({ id, label }): MapNode => {
        const names = streamsOf.get(id) ?? [];
        const clients = clientsOf && new Set(names.flatMap((name) => [...(clientsOf.get(name) ?? [])]));
        return {
          id: `audience ${id}`,
          column: 'audiences',
          label,
          sentence: `${label}: ${amountText(names.length, 'stream')}.`,
          marks: [],
          numbers: clientsText(clients?.size),
        };
      }),
    ],
    edges: map.streams.flatMap(({ name, tables, audiences }) => [
      ...tables.map(({ table, use }): MapEdge => ({ from: `table ${table}`, to: `stream ${name}`, use })),
      ...audiences.map((id): MapEdge => ({ from: `stream ${name}`, to: `audience ${id}`, use: 'rows' })),
    ]),
  };
}

/** Separates the tables that no shown stream reads from the rest of the picture. */
export function setUnreadAside({ nodes, edges }: MapPicture): {
  readonly read: MapPicture;
  readonly unread: readonly MapNode[];
} {
  const linked = new Set(edges.map(({ from }) => from));
  const isUnread = ({ id, column }: MapNode) => column === 'tables' && !linked.has(id);
  return {
    read: { nodes: nodes.filter((node) => !isUnread(node)), edges },
    unread: nodes.filter(isUnread),
  };
}

/** Returns the clients of each stream, by their numbers. A client has all default streams, and those that it subscribes to. */
function clientsByStream(
  { streams }: SyncMap,
  clients: ServiceFacts['clients'],
): ReadonlyMap<string, ReadonlySet<number>> | undefined {
  if (clients === undefined) return undefined;
  const byStream = new Map(
    streams.map(({ name, isDefault }): [string, Set<number>] => [
      name,
      new Set(isDefault ? clients.keys() : []),
    ]),
  );
  for (const [index, { subscriptions }] of clients.entries())
    for (const { stream } of subscriptions) byStream.get(stream)?.add(index);
  return byStream;
}

/** Returns the streams that the clients of a user have. */
export function streamsOfUser(
  { streams }: SyncMap,
  clients: NonNullable<ServiceFacts['clients']>,
  user: string,
): ReadonlySet<string> {
  const own = clients.filter((client) => client.user === user);
  if (own.length === 0) return new Set();
  const subscribed = own.flatMap(({ subscriptions }) => subscriptions.map(({ stream }) => stream));
  return new Set([...streams.filter(({ isDefault }) => isDefault).map(({ name }) => name), ...subscribed]);
}

/** Returns marks for problems that the service reports. A missing table is marked only once. */
function marksOfStatus(status: TableStatus | undefined, marks: readonly MapMark[]): readonly MapMark[] {
  if (status === undefined || marks.some(({ kind }) => kind === 'missing')) return [];
  const kind = markOfState[stateOfTable(status)];
  if (kind === undefined) return [];
  return status.errors.slice(0, 1).map(({ message }): MapMark => ({ kind, sentence: message }));
}

const markOfState: Readonly<Record<TableState, MapMark['kind'] | undefined>> = {
  copied: undefined,
  copying: undefined,
  missing: 'missing',
  unreadable: 'broken',
  unknown: undefined,
};

const unknownState = 'state unknown';

function bucketsText(count: number | undefined): readonly string[] {
  return count === undefined ? [] : [amountText(count, 'bucket')];
}

function clientsText(count: number | undefined): readonly string[] {
  return count === undefined ? [] : [amountText(count, 'client')];
}

/** Marks a stream with the reason why clients do not get it yet. */
function markPending(
  map: SyncMap,
  deployed: DeployedMaps | undefined,
): (stream: MapStream) => readonly MapMark[] {
  if (deployed === undefined) return () => [];
  const [activeOnes, pendingOnes] = [deployed.active, deployed.pending].map(
    (each) => new Map(each?.streams.map((stream) => [stream.name, stream])),
  );
  return (stream) => {
    const [active, pending] = [activeOnes?.get(stream.name), pendingOnes?.get(stream.name)];
    const isCopied = pending !== undefined && isAlike(pending, stream);
    if (active === undefined)
      return [
        mark(isCopied ? 'Being copied: no client gets it yet.' : 'Not deployed: no client gets it yet.'),
      ];
    if (deployed.active === map || isAlike(active, stream)) return [];
    return [
      mark(
        isCopied
          ? 'Being copied: clients still get the earlier version.'
          : 'The deployed stream is different.',
      ),
    ];
  };
}

function mark(sentence: string): MapMark {
  return { kind: 'pending', sentence };
}

function isAlike(one: MapStream, other: MapStream): boolean {
  const [a, b] = [one, other].map(({ tables, audiences, isDefault, sentence }) =>
    JSON.stringify([tables, audiences, isDefault, sentence]),
  );
  return a === b;
}
