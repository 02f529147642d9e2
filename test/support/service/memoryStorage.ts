/**
 * The simplest storage in memory that fulfils the contract, for tests of replication. A writer that is released loses the writes
 * that no commit has followed, if they were to become durable only with a later commit.
 */
import { firstPosition, type LogPosition, laterOf } from '../../../server/service/ground/logPosition.ts';
import type { Decide, Deployment } from '../../../server/service/storage/deployment.ts';
import { changedFrom } from '../../../server/service/storage/deploymentRows.ts';
import type {
  Checkpoint,
  CurrentRow,
  NewLookup,
  NewOp,
  Notice,
  OpId,
  ReplicationWriter,
  Storage,
  StoredTable,
  WriteBatch,
} from '../../../server/service/storage/storage.ts';

export interface MemoryStorage extends Storage {
  readonly records: readonly Deployment[];
  /** Returns the rows that clients of the checkpoint see: bucket → `type/id/subkey` → data. */
  contents(deployment: number, checkpoint: OpId): Map<string, Map<string, string>>;
  /** Returns the lookups with values, as of the checkpoint: sorted value sets as JSON text. */
  lookupValues(deployment: number, checkpoint: OpId): Map<string, string[]>;
  ops(deployment: number): readonly (NewOp & { readonly opId: OpId })[];
  readonly currentRowsAsked: number;
}

interface Group {
  ops: (NewOp & { opId: OpId })[];
  lookups: (NewLookup & { opId: OpId; source: string })[];
  tables: Map<number, StoredTable>;
  current: Map<string, CurrentRow & { table: number }>;
  lastOp: OpId;
  held: LogPosition | undefined;
  writing: boolean;
  /** Whether something was written that no commit has followed. */
  open: boolean;
  /** The rows that a crash would leave: those before writes that become durable only with a later commit. */
  durable?: Rows | undefined;
}

type Rows = Pick<Group, 'ops' | 'lookups' | 'tables' | 'current' | 'lastOp' | 'open'>;

export function createMemoryStorage(): MemoryStorage {
  let records: Deployment[] = [];
  let lastId: OpId = 0;
  let lastTable = 0;
  let asked = 0;
  const groups = new Map<number, Group>();
  const listeners = new Set<(notice: Notice) => void>();

  const groupOf = (id: number): Group => {
    const known = groups.get(id) ?? emptyGroup();
    groups.set(id, known);
    return known;
  };
  const tell = (notice: Notice) => {
    for (const listener of listeners) listener(notice);
  };
  const edit = (id: number, changes: Partial<Deployment>) => {
    records = records.map((record) => (record.id === id ? { ...record, ...changes } : record));
  };
  const without = (id: number, ...names: readonly (keyof Deployment)[]) => {
    records = records.map((record) => {
      if (record.id !== id) return record;
      const left = Object.entries(record).filter(([name]) => !names.some((each) => each === name));
      return Object.fromEntries(left) as unknown as Deployment;
    });
  };
  const apply = (decide: Decide): boolean => {
    const changes = decide(records);
    for (const change of changes) {
      if (change.kind === 'insert') {
        const id = records.length + 1;
        const { content, deploymentNameOf, at: createdAt } = change;
        records = [
          ...records,
          {
            id,
            content,
            createdAt,
            deploymentName: deploymentNameOf(id),
            state: 'processing',
            storageVersion: change.storageVersion,
            snapshotDone: false,
            revision: 0,
            ...(change.by !== undefined && { deployedBy: change.by }),
            ...(change.reason !== undefined && { reason: change.reason }),
            ...(change.base !== undefined && { base: change.base }),
            ...(change.anew !== undefined && { anew: change.anew }),
            ...(change.pace !== undefined && { pace: change.pace }),
          },
        ];
      } else if (change.kind === 'content') {
        const { id, content, isSame, at: createdAt, by } = change;
        const former = records.find((each) => each.id === id) as Deployment;
        const { content: before, storedContent = before, deploymentName, storageVersion, revision } = former;
        const { createdAt: deployedAt, deployedBy } = former;
        without(id, 'deployedBy');
        if (by !== undefined) edit(id, { deployedBy: by });
        edit(id, { content, storedContent, createdAt, revision: isSame ? revision : revision + 1 });
        const kept = {
          content: before,
          deploymentName,
          storageVersion,
          createdAt: deployedAt,
          ...(deployedBy !== undefined && { deployedBy }),
          snapshotDone: false,
          revision: 0,
        };
        records = [...records, { ...kept, id: records.length + 1, state: 'terminated' }];
      } else if (change.kind === 'stored texts') {
        const { content, storedContent = content } = records.find(({ id }) => id === change.id) as Deployment;
        edit(change.id, { storedContent, storedTexts: change.storedTexts });
      } else if (change.kind === 'alone') without(change.id, 'base', 'anew');
      else if (change.kind === 'pace') {
        without(change.id, 'pace');
        if (change.pace !== undefined) edit(change.id, { pace: change.pace });
      } else if (change.kind === 'rest') {
        without(change.id, 'hasRest');
        if (change.hasRest) edit(change.id, { hasRest: true });
      } else if (change.kind === 'state') edit(change.id, { state: change.state });
      else if (change.kind === 'error') {
        const { lastError: _, ...rest } = records.find(({ id }) => id === change.id) as Deployment;
        const next = change.error === undefined ? rest : { ...rest, lastError: change.error };
        records = records.map((record) => (record.id === change.id ? next : record));
      }
    }
    return changes.length > 0;
  };
  const checkpointOf = (id: number): Checkpoint | undefined => {
    const { lastCheckpoint, lastCheckpointPosition } = records.find((record) => record.id === id) ?? {};
    if (lastCheckpoint === undefined || lastCheckpointPosition === undefined) return undefined;
    return { opId: lastCheckpoint, position: lastCheckpointPosition };
  };

  function writerOf(deployment: number): ReplicationWriter {
    const group = groupOf(deployment);
    group.writing = true;
    const isInterrupted = group.open;
    const assertOpen = () => {
      if (!group.writing) throw new Error('the writer was released');
    };
    const change = () => {
      assertOpen();
      group.durable = undefined;
    };
    return {
      isInterrupted,
      tables: async () => [...group.tables.values()],
      putTable: async (table) => {
        change();
        const id = 'id' in table ? table.id : ++lastTable;
        const stored = { ...table, id };
        group.tables.set(id, stored);
        return stored;
      },
      putRowProblems: async (table, rowProblems) => {
        change();
        const stored = group.tables.get(table);
        if (stored !== undefined) group.tables.set(table, { ...stored, rowProblems });
      },
      deleteTable: async (table) => {
        change();
        for (const row of group.current.values())
          if (row.table === table) throw new Error('the table still has rows');
        group.tables.delete(table);
      },
      currentRows: async (table, keys) => {
        asked += keys.length;
        return keys.map((key) => group.current.get(`${table}/${key}`));
      },
      someRows: async (table, limit) =>
        [...group.current.values()].filter((row) => row.table === table).slice(0, limit),
      write: async ({ rows, progress, goesOn }: WriteBatch) => {
        const durable = group.durable ?? rowsOf(group);
        change();
        if (goesOn) group.durable = durable;
        for (const { table, key, ops, lookups, current, isStored } of rows) {
          for (const op of ops) group.ops.push({ ...op, opId: ++lastId });
          for (const entry of lookups)
            group.lookups.push({ ...entry, opId: ++lastId, source: `${table}/${key}` });
          if (isStored) assertStored(group.current.get(`${table}/${key}`), current);
          if (current === null) group.current.delete(`${table}/${key}`);
          else group.current.set(`${table}/${key}`, { ...current, key, table });
        }
        if (progress !== undefined) group.tables.set(progress.id, progress);
        group.lastOp = lastId;
        group.open = true;
        return lastId;
      },
      commit: async (position, { activate, takeOver, at, last }) => {
        change();
        group.open = false;
        const record = () => records.find(({ id }) => id === deployment) as Deployment;
        const { lastCheckpointPosition, snapshotDone, state, passed } = record();
        const known = {
          acknowledged: laterOf(position, passed?.acknowledged),
          last: last?.position ?? passed?.last ?? firstPosition,
        };
        edit(deployment, { lastKeepaliveAt: at, passed: known });
        const isAllowed =
          snapshotDone &&
          state !== 'stopped' &&
          state !== 'terminated' &&
          (lastCheckpointPosition === undefined || lastCheckpointPosition <= position) &&
          (group.held === undefined || group.held <= position);
        if (!isAllowed) return { published: false };
        edit(deployment, {
          lastCheckpoint: group.lastOp,
          lastCheckpointPosition: position,
          lastCheckpointAt: at,
        });
        const decide = state === 'active' ? takeOver : activate;
        const changed = decide !== undefined && apply(decide);
        const checkpoint = { opId: group.lastOp, position };
        if (record().state === 'processing') return { published: true, checkpoint, putOff: true };
        tell({ deployment, checkpoint, ...(changed && { activated: { revision: record().revision } }) });
        return { published: true, checkpoint, ...(changed && { changed: records }) };
      },
      holdCheckpoints: async (until) => {
        change();
        group.held = laterOf(until, group.held);
      },
      beginLog: async (position) => {
        change();
        edit(deployment, { passed: { acknowledged: position, last: position } });
      },
      belongTo: async (origin) => {
        change();
        edit(deployment, { origin });
      },
      finishSnapshot: async () => {
        change();
        edit(deployment, { snapshotDone: true });
      },
      reset: async () => {
        change();
        groups.set(deployment, Object.assign(group, emptyGroup(), { writing: true }));
        const { passed: _, ...rest } = records.find(({ id }) => id === deployment) as Deployment;
        records = records.map((each) => (each.id === deployment ? { ...rest, snapshotDone: false } : each));
      },
      demand: async () => assertOpen(),
      release: async () => {
        group.writing = false;
        Object.assign(group, group.durable, { durable: undefined });
      },
    };
  }

  const unused = () => {
    throw new Error('not part of this double');
  };
  return {
    instanceId: 'memory',
    get records() {
      return records;
    },
    get currentRowsAsked() {
      return asked;
    },
    ops: (deployment) => groupOf(deployment).ops,
    contents: (deployment, checkpoint) => {
      const buckets = new Map<string, Map<string, string>>();
      for (const { bucket, op, type, id, subkey, data = '', opId } of groupOf(deployment).ops) {
        if (opId > checkpoint) break;
        const rows = buckets.get(bucket) ?? new Map<string, string>();
        buckets.set(bucket, rows);
        if (op === 'PUT') rows.set(`${type}/${id}/${subkey}`, data);
        else rows.delete(`${type}/${id}/${subkey}`);
        if (rows.size === 0) buckets.delete(bucket);
      }
      return buckets;
    },
    lookupValues: (deployment, checkpoint) => {
      const latest = new Map<string, NewLookup>();
      for (const entry of groupOf(deployment).lookups) {
        if (entry.opId > checkpoint) break;
        latest.set(`${entry.source} ${entry.lookup}`, entry);
      }
      const found = new Map<string, string[]>();
      for (const { lookup, values } of latest.values()) {
        if (values.length === 0) continue;
        const texts = values.map((each) => JSON.stringify(each, bigintText));
        found.set(lookup, [...(found.get(lookup) ?? []), ...texts].sort());
      }
      return found;
    },
    deployments: {
      all: async () => records,
      change: async (decide) => {
        const before = records;
        apply(decide);
        const { activated } = changedFrom(before, records);
        const checkpoint = activated && checkpointOf(activated.id);
        if (checkpoint)
          tell({ deployment: activated.id, checkpoint, activated: { revision: activated.revision } });
        return records;
      },
      watch: () => () => {},
    },
    writeCheckpoints: { create: unused, request: unused, reached: unused, reachedAmong: unused },
    writer: async (deployment) => (groupOf(deployment).writing ? undefined : writerOf(deployment)),
    stored: (deployment) => ({
      tables: async () => [...groupOf(deployment).tables.values()],
      rowsAfter: async (table, key) =>
        [...groupOf(deployment).current.values()]
          .filter((row) => row.table === table && (key === undefined || row.key > key))
          .sort((one, other) => (one.key < other.key ? -1 : 1))
          .slice(0, 5),
      bucketsAfter: unused,
      currentRows: unused,
      lookupsAfter: unused,
      lookupSizesAfter: unused,
      lookupsOf: unused,
    }),
    reader: (deployment) => ({
      checkpoint: async () => checkpointOf(deployment),
      checksums: unused,
      read: unused,
      lookups: unused,
    }),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    compact: unused,
    clear: async (deployment) => {
      groups.delete(deployment);
    },
    clearParts: async (deployment, kept) => {
      const group = groupOf(deployment);
      const isKept = (key: string) => kept.has(key.slice(0, key.indexOf('[')));
      for (const rows of [group, ...(group.durable ? [group.durable] : [])]) {
        rows.ops = rows.ops.filter(({ bucket }) => isKept(bucket));
        rows.lookups = rows.lookups.filter(({ lookup }) => isKept(lookup));
      }
    },
    sizes: async () => ({ current: 0, operations: 0, lookups: 0 }),
    countBuckets: async (deployment, most) => {
      const buckets = new Set(groups.get(deployment)?.ops.map(({ bucket }) => bucket));
      if (buckets.size > most) return undefined;
      const counts = new Map<string, number>();
      for (const bucket of buckets) {
        const [name = ''] = bucket.split('[');
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return counts;
    },
    countRows: async (deployment, most) => {
      const { tables, current } = groups.get(deployment) ?? emptyGroup();
      return [...tables.values()]
        .map(({ id, schema, name }) => {
          const rows = [...current.values()].filter(({ table }) => table === id).length;
          return { schema, name, rows };
        })
        .filter(({ rows }) => rows <= most);
    },
    close: async () => {},
  };
}

function assertStored(stored: CurrentRow | undefined, current: Omit<CurrentRow, 'key'> | null): void {
  const text = (row: Omit<CurrentRow, 'key'> | null | undefined) =>
    row && JSON.stringify([row.memberships, row.lookups, row.values ?? null]);
  if (text(stored) !== text(current)) throw new Error('a row is said to be stored as it is not');
}

function rowsOf({ ops, lookups, tables, current, lastOp, open }: Group): Rows {
  return {
    ops: [...ops],
    lookups: [...lookups],
    tables: new Map(tables),
    current: new Map(current),
    lastOp,
    open,
  };
}

function emptyGroup(): Group {
  return {
    ops: [],
    lookups: [],
    tables: new Map(),
    current: new Map(),
    lastOp: 0,
    held: undefined,
    writing: false,
    open: false,
  };
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
