/** Decides, with the same evaluation that syncs, whether a row of a database reaches the device of a user. */
import type { Catalog } from '../../model/catalog.ts';
import { deviceOf, hasRow } from '../device.ts';
import { toRowIndex } from '../rowIndex.ts';
import { catalogTable, type TestSubject } from '../subject.ts';
import type { SearchCandidate } from './candidates.ts';
import { minimise } from './minimise.ts';

/** @param clientTable the only client table to consider; default: every table to which the row is synced */
export function reachesDevice(
  { rows, main, asking }: SearchCandidate,
  subject: TestSubject,
  clientTable?: string,
): boolean {
  const isSent = subject
    .resultOf(main.table, main.values)
    .rows.some(({ table }) => clientTable === undefined || table === clientTable);
  if (!isSent) return false;
  const device = deviceOf(subject, toRowIndex(rows, subject), asking);
  return hasRow(device, main, clientTable === undefined ? 'any' : [clientTable], subject);
}

/** Returns the client's id for the row that is searched for. */
function clientIdOf({ main }: SearchCandidate, clientTable: string, subject: TestSubject): string {
  return subject.idsOf(main.table, main.values, clientTable)[0] ?? main.id;
}

/** Returns the candidate with this id for the row. */
export function asClientsKnow(
  candidate: SearchCandidate,
  clientTable: string,
  subject: TestSubject,
): SearchCandidate {
  const { rows, main, asking } = candidate;
  const named = { ...main, id: clientIdOf(candidate, clientTable, subject) };
  return { asking, main: named, rows: rows.map((row) => (row === main ? named : row)) };
}

/** Returns the smallest witness, with the names that clients see. */
export function smallestWitness(
  candidate: SearchCandidate,
  isOne: (candidate: SearchCandidate) => boolean,
  clientTable: string,
  { subject, catalog }: { readonly subject: TestSubject; readonly catalog: Catalog | undefined },
): SearchCandidate {
  const idOf = (each: SearchCandidate) => clientIdOf(each, clientTable, subject);
  const canBeNull = (table: string, name: string): boolean => {
    const column = catalogTable(table, subject, catalog)?.columns.get(name);
    return column?.nullable !== false && column?.default === undefined;
  };
  return asClientsKnow(minimise(candidate, isOne, idOf, canBeNull), clientTable, subject);
}
