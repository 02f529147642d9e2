/** Decides, with the same evaluation that syncs, whether a row of a database reaches the device of a user. */
import { deviceOf } from '../device.ts';
import { toRowIndex } from '../rowIndex.ts';
import type { TestSubject } from '../subject.ts';
import type { SearchCandidate } from './candidates.ts';
import { minimise } from './minimise.ts';

/** @param clientTable the only client table to consider; default: every table to which the row is synced */
export function reachesDevice(
  { rows, main, asking }: SearchCandidate,
  subject: TestSubject,
  clientTable?: string,
): boolean {
  const own = subject
    .resultOf(main.table, main.values)
    .rows.filter(({ table }) => clientTable === undefined || table === clientTable);
  if (own.length === 0) return false;
  const { tables } = deviceOf(subject, toRowIndex(rows, subject), asking);
  return own.some(({ table, id }) => tables.get(table)?.has(id));
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
  subject: TestSubject,
): SearchCandidate {
  const idOf = (each: SearchCandidate) => clientIdOf(each, clientTable, subject);
  return asClientsKnow(minimise(candidate, isOne, idOf), clientTable, subject);
}
