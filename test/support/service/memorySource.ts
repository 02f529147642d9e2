/** A source database in memory for tests of replication. It has a log and slots, and its updates leave out large values. */
import { matchesTable } from '../../../server/engine/plan/evaluate/patterns.ts';
import type { Row } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import type { LogPosition } from '../../../server/service/ground/logPosition.ts';
import { explainBreak } from '../../../server/service/replication/postgres/explainBreak.ts';
import { numberOf, toLsn } from '../../../server/service/replication/postgres/lsn.ts';
import { slotHealth } from '../../../server/service/replication/postgres/slotHealth.ts';
import { reportOk } from '../../../server/service/replication/preflight.ts';
import {
  type ChangeEvent,
  type Source,
  SourceFailure,
  type StreamSettings,
  type TableInfo,
} from '../../../server/service/replication/source.ts';
import { tableId } from './sourceIds.ts';

export interface MemorySource extends Source {
  createTable(table: Partial<TableInfo> & { readonly name: string }): void;
  dropTable(name: string): void;
  /** Makes one transaction. Its changes are in the log when this returns. */
  commit(change: (transaction: MemoryTransaction) => void): LogPosition;
  /** Returns all rows by table, after the last transaction at or before the position. */
  stateAt(position: LogPosition): ReadonlyMap<string, readonly Row[]>;
  readonly slots: Map<string, MemorySlot>;
  /** How often a stream has begun to report changes. */
  readonly readings: number;
  loseSlot(name: string, reason: string): void;
  /** Sets the position after which streams report nothing. Undefined means that they report everything. */
  tellUpTo(position: LogPosition | undefined): void;
  /** Ends every open stream with this failure. */
  breakStreams(failure: SourceFailure): void;
  /** Called while rows of a table are copied, after each page. */
  onPage: (table: string) => void;
  /** Called before a slot is created. The slot is created when the promise resolves. */
  beforeSlot: (settings: StreamSettings, signal: AbortSignal) => Promise<void>;
  /** The failure with which every method fails. Undefined: methods succeed. */
  outage: SourceFailure | undefined;
}

export interface MemoryTransaction {
  insert(table: string, row: Row): void;
  /** Inserts a row, or updates the existing one. */
  put(table: string, id: SqlValue, changes: Row): void;
  /** Changes the key of a row, unless another row has the new key. */
  rename(table: string, id: SqlValue, to: SqlValue): void;
  /** `changes` may change the key. */
  update(table: string, id: SqlValue, changes: Row): void;
  remove(table: string, id: SqlValue): void;
  truncate(table: string): void;
}

export interface MemorySlot {
  confirmed: LogPosition;
  lost?: string;
  active: boolean;
}

interface Table {
  info: TableInfo;
  rows: Map<string, Row>;
}

interface Entry {
  readonly position: LogPosition;
  readonly events: readonly ChangeEvent[];
}

export interface MemorySourceOptions {
  readonly pageSize?: number;
  /** The maximum number of transactions that are read at once. It differs each time. */
  readonly transactionsPerChunk?: number;
  /** Columns of this length or more are left out of updates that do not change them. */
  readonly largeFrom?: number;
}

export function createMemorySource(options: MemorySourceOptions = {}): MemorySource {
  const { pageSize = 3, transactionsPerChunk = 4, largeFrom = 300 } = options;
  const tables = new Map<string, Table>();
  const log: Entry[] = [];
  const history = new Map<LogPosition, ReadonlyMap<string, readonly Row[]>>();
  const slots = new Map<string, MemorySlot>();
  const waiting = new Set<() => void>();
  const streams = new Set<(failure: SourceFailure) => void>();
  let last = toLsn(1n);
  let sourceIds = 100;
  let reads = 0;
  let readings = 0;
  let toldUpTo: LogPosition | undefined;

  const tableOf = (name: string): Table => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no table ${name}`);
    return table;
  };
  const append = (events: readonly ChangeEvent[], position: LogPosition) => {
    last = position;
    log.push({ position, events });
    history.set(position, new Map([...tables].map(([name, { rows }]) => [name, [...rows.values()]])));
    for (const wake of waiting) wake();
  };
  const isTold = ({ position }: Entry) => toldUpTo === undefined || position <= toldUpTo;
  const next = () => toLsn(numberOf(last) + 1n);
  const check = () => {
    if (source.outage !== undefined) throw source.outage;
  };

  const source: MemorySource = {
    id: 'default',
    tag: 'default',
    type: 'embedded',
    defaultSchema: 'public',
    uri: 'memory:',
    slots,
    get readings() {
      return readings;
    },
    outage: undefined,
    onPage: () => {},
    beforeSlot: async () => {},
    createTable: ({ name, ...rest }) => {
      sourceIds += 1;
      const identity = [{ name: 'id', type: 'text' }];
      tables.set(name, {
        info: {
          schema: 'public',
          name,
          sourceId: tableId(sourceIds),
          identity,
          identityKind: 'default',
          ...rest,
        },
        rows: new Map(),
      });
    },
    dropTable: (name) => {
      tables.delete(name);
    },
    commit: (change) => {
      const position = next();
      const events: ChangeEvent[] = [{ kind: 'begin', at: Date.now() }];
      change(transactionOn(tableOf, events, largeFrom));
      append([...events, { kind: 'commit', position }], position);
      return position;
    },
    stateAt: (position) => {
      const at = [...history.keys()].filter((known) => known <= position).at(-1);
      return (at === undefined ? undefined : history.get(at)) ?? new Map();
    },
    loseSlot: (name, reason) => {
      const slot = slots.get(name);
      if (slot !== undefined) slot.lost = reason;
      source.breakStreams(new SourceFailure('backlog-lost', 'SVC_S1146', `slot ${name} is lost`));
    },
    tellUpTo: (position) => {
      toldUpTo = position;
      for (const wake of waiting) wake();
    },
    breakStreams: (failure) => {
      for (const end of streams) end(failure);
    },
    health: async () => ({ connected: true, problems: [] }),
    preflight: async () => [reportOk('source', 'The source is in memory.')],
    schema: async () => {
      check();
      return [];
    },
    tables: async (patterns) => {
      check();
      return [...tables.values()].flatMap(({ info }) => {
        const { schema, name } = info;
        const pattern = patterns.find((each) => matchesTable(each, { tag: 'default', schema, name }));
        return pattern === undefined ? [] : [{ pattern, table: info, problems: [], replicated: true }];
      });
    },
    shape: async (sourceId) =>
      [...tables.values()].find(({ info }) => info.sourceId === sourceId)?.info.shape,
    history: async () => {
      check();
      return { system: 'memory' };
    },
    position: async () => {
      check();
      return last;
    },
    mark: async () => {
      check();
      const position = next();
      append([{ kind: 'keepalive', position, marked: true }], position);
    },
    query: async () => ({ columns: [], rows: [], truncated: false }),
    measure: async ({ name }) => ({ rows: tables.get(name)?.rows.size ?? 0, bytesPerRow: 100 }),
    explain: explainBreak,
    backlogHealth: slotHealth,
    backlogNames: async () => [...slots.keys()],
    backlog: async (name) => {
      check();
      const slot = slots.get(name);
      if (slot === undefined) return { kind: 'absent' };
      if (slot.lost !== undefined) return { kind: 'lost', reason: slot.lost };
      return { kind: 'ready', confirmed: slot.confirmed };
    },
    endReaders: async () => {},
    dropBacklog: async (name) => {
      check();
      if (slots.get(name)?.active)
        throw new SourceFailure('backlog-busy', 'SVC_S1147', `slot ${name} is in use`);
      slots.delete(name);
    },
    stream: (settings) => {
      const { deploymentName: name, onProgress } = settings;
      let at = 0;
      return {
        prepare: async (signal) => {
          check();
          if (slots.has(name)) return 'kept';
          await source.beforeSlot(settings, signal);
          slots.set(name, { confirmed: last, active: false });
          return 'created';
        },
        async *copy(info, progress, signal) {
          const { name: table } = info;
          const sorted = () => [...tableOf(table).rows].sort(([one], [other]) => (one < other ? -1 : 1));
          // A copy can be resumed only if one column identifies rows, as with a real source.
          const isResumable = info.identityKind === 'default';
          let after = progress?.lastKey;
          let copiedRows = progress?.lastKey === undefined ? 0 : (progress.copiedRows ?? 0);
          while (!signal.aborted) {
            await Promise.resolve();
            check();
            const page = sorted()
              .filter(([key]) => after === undefined || key > after)
              .slice(0, pageSize);
            copiedRows += page.length;
            after = page.at(-1)?.[0] ?? after;
            const isLast = page.length < pageSize;
            yield {
              rows: page.map(([, row]) => row),
              failed: [],
              progress: { copiedRows, ...(isResumable && after !== undefined && { lastKey: after }) },
              ...(isLast && { position: last }),
            };
            if (isLast) return;
            source.onPage(table);
            onProgress();
          }
        },
        async *changes(signal) {
          check();
          const slot = slots.get(name);
          if (slot === undefined) throw new SourceFailure('backlog-missing', 'SVC_S1146', `no slot ${name}`);
          if (slot.lost !== undefined)
            throw new SourceFailure('backlog-lost', 'SVC_S1146', `slot is lost: ${slot.lost}`);
          slot.active = true;
          readings += 1;
          const told = new Map<number, TableInfo>();
          let broken: SourceFailure | undefined;
          let wake = () => {};
          const stop = (failure?: SourceFailure) => {
            broken ??= failure;
            wake();
          };
          const abort = () => stop();
          streams.add(stop);
          signal.addEventListener('abort', abort);
          try {
            at = log.findIndex(({ position }) => position > slot.confirmed);
            if (at === -1) at = log.length;
            while (!signal.aborted) {
              if (broken !== undefined) throw broken;
              reads += 1;
              const entries = log.slice(at, at + 1 + (reads % transactionsPerChunk)).filter(isTold);
              at += entries.length;
              if (entries.length > 0) {
                yield {
                  events: entries.flatMap(({ events }) => events.flatMap((event) => withTable(event, told))),
                };
                continue;
              }
              await new Promise<void>((resolve) => {
                wake = resolve;
                waiting.add(wake);
              });
              waiting.delete(wake);
            }
          } finally {
            slot.active = false;
            streams.delete(stop);
            signal.removeEventListener('abort', abort);
          }
        },
        endsAgain: () => log.slice(at).some(isTold),
        acknowledge: (position) => {
          const slot = slots.get(name);
          if (slot !== undefined && position > slot.confirmed) slot.confirmed = position;
        },
        settle: async () => {},
        refetch: async (info, keys) => {
          check();
          const { rows } = tableOf(info.name);
          return keys.flatMap((key) => {
            const row = rows.get(String(key));
            return row === undefined ? [] : [row];
          });
        },
        close: async () => {},
      };
    },
    close: async () => {},
  };

  /** Puts the definition of the table, as of the change, before the event if the stream has not sent it yet. */
  function withTable(event: ChangeEvent, told: Map<number, TableInfo>): readonly ChangeEvent[] {
    const info = infos.get(event);
    if (info === undefined || told.get(info.sourceId) === info) return [event];
    told.set(info.sourceId, info);
    return [{ kind: 'table', table: info }, event];
  }

  return source;
}

const infos = new WeakMap<ChangeEvent, TableInfo>();

function transactionOn(
  tableOf: (name: string) => Table,
  events: ChangeEvent[],
  largeFrom: number,
): MemoryTransaction {
  const push = (event: ChangeEvent, { info }: Table) => {
    infos.set(event, info);
    events.push(event);
  };
  const find = (table: Table, id: SqlValue): Row => {
    const row = table.rows.get(String(id));
    if (row === undefined) throw new Error(`no row ${id}`);
    return row;
  };
  const transaction: MemoryTransaction = {
    put: (name, id, changes) => {
      if (tableOf(name).rows.has(String(id))) transaction.update(name, id, changes);
      else transaction.insert(name, { id, ...changes });
    },
    rename: (name, id, to) => {
      if (!tableOf(name).rows.has(String(to))) transaction.update(name, id, { id: to });
    },
    insert: (name, row) => {
      const table = tableOf(name);
      table.rows.set(String(row.id), row);
      push({ kind: 'insert', sourceId: table.info.sourceId, row: { values: row } }, table);
    },
    update: (name, id, changes) => {
      const table = tableOf(name);
      const before = find(table, id);
      const after: Row = { ...before, ...changes };
      table.rows.delete(String(id));
      table.rows.set(String(after.id), after);
      const isFull = table.info.identityKind === 'full';
      const unchanged = Object.keys(after).filter((column) => {
        const value = after[column];
        return !(column in changes) && typeof value === 'string' && value.length >= largeFrom;
      });
      const values = Object.fromEntries(
        Object.entries(after).filter(([column]) => !unchanged.includes(column)),
      );
      const row = unchanged.length === 0 ? { values } : { values, unchanged };
      const old = isFull ? before : after.id === before.id ? undefined : { id: before.id ?? null };
      push({ kind: 'update', sourceId: table.info.sourceId, row, ...(old && { old }) }, table);
    },
    remove: (name, id) => {
      const table = tableOf(name);
      const old = find(table, id);
      table.rows.delete(String(id));
      const isFull = table.info.identityKind === 'full';
      push(
        { kind: 'delete', sourceId: table.info.sourceId, old: isFull ? old : { id: old.id ?? null } },
        table,
      );
    },
    truncate: (name) => {
      const table = tableOf(name);
      table.rows.clear();
      push({ kind: 'truncate', sourceIds: [table.info.sourceId] }, table);
    },
  };
  return transaction;
}
