/**
 * A source with a database of its own for the contract of sources. The statements of the contract are understood by most
 * databases.
 */
import type { Row } from '../../../../server/engine/plan/evaluate/scope.ts';
import type { ChangeEvent, Source, SourceStream } from '../../../../server/service/replication/source.ts';
import type { TestDatabase } from '../postgres/support.ts';

export interface SourceRig extends Pick<TestDatabase, 'source' | 'sql' | 'stream' | 'table' | 'close'> {
  /** Ends the database as a crash does. */
  crash(): Promise<void>;
  /** Waits until the database answers again after a crash. */
  recover(): Promise<void>;
  /** Statements that make replication impossible. Empty if no statement of a user can. */
  readonly mistakes: readonly string[];
}

export type OpenRig = () => Promise<SourceRig>;

let made = 0;

/** Creates a table with a name of its own, and a stream that has read nothing yet. */
export async function prepareTable(
  { sql, stream }: SourceRig,
  columns = 'id int PRIMARY KEY, a text',
): Promise<{ readonly table: string; readonly name: string; readonly stream: SourceStream }> {
  made += 1;
  const table = `t${made}`;
  const name = `contract_${made}`;
  await sql(`CREATE TABLE ${table} (${columns})`);
  const opened = stream({ slot: name, patterns: [`public.${table}`] });
  await opened.prepare(new AbortController().signal);
  return { table, name, stream: opened };
}

/** Reads the changes until a mark that is written now, without acknowledging them. */
export async function readToMark(source: Source, stream: SourceStream): Promise<readonly ChangeEvent[]> {
  const stopping = new AbortController();
  const until = await source.position();
  await source.mark();
  const events: ChangeEvent[] = [];
  for await (const chunk of stream.changes(stopping.signal)) {
    for (const event of chunk.events) {
      events.push(event);
      if (event.kind !== 'keepalive' || !event.marked || event.position < until) continue;
      stopping.abort();
      return events;
    }
  }
  return events;
}

/** The rows of one table by key, as a storage would keep them. */
export class RowState {
  readonly #rows = new Map<string, Row>();

  get rows(): readonly Row[] {
    return [...this.#rows.values()].sort((one, other) => Number(one.id) - Number(other.id));
  }

  put(row: Row): void {
    this.#rows.set(String(row.id), row);
  }

  apply(event: ChangeEvent): void {
    if (event.kind === 'insert') this.put(event.row.values);
    if (event.kind === 'delete') this.#rows.delete(String(event.old.id));
    if (event.kind === 'truncate') this.#rows.clear();
    if (event.kind !== 'update') return;
    const { row, old } = event;
    const key = String(old?.id ?? row.values.id);
    const before = this.#rows.get(key) ?? {};
    this.#rows.delete(key);
    const same = (row.unchanged ?? []).map((column) => [column, before[column] ?? null]);
    this.put({ ...row.values, ...Object.fromEntries(same) });
  }
}
