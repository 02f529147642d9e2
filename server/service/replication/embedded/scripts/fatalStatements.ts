/** The statements of the project's scripts that the database does not survive. It is started again without them. */
import type { LoadScripts } from '../database/protocol.ts';
import { type FatalPlace, isStatement, type StatementPlace } from '../loading/places.ts';

/** Thrown when a statement ends both the loading of scripts and the process of the database. */
export class FatalStatement extends Error {
  readonly place: FatalPlace;
  /** Whether the statement is certainly the cause. False if the process was ended from outside, which may be a coincidence. */
  readonly isCertain: boolean;

  constructor(message: string, place: FatalPlace, isCertain = true) {
    super(message);
    this.place = place;
    this.isCertain = isCertain;
  }
}

export interface FatalStatements {
  readonly places: readonly FatalPlace[];
  /** Adds a statement. If it is uncertain, it is run again, and skipped only if the process ends again. */
  add(statement: FatalStatement): void;
  clear(): void;
}

export function openFatalStatements(): FatalStatements {
  const places: FatalPlace[] = [];
  const suspects = new Set<string>();
  return {
    places,
    add({ place, isCertain }) {
      const key = `${place.script}\0${place.start}`;
      if (isCertain || suspects.has(key)) places.push(place);
      else suspects.add(key);
    },
    clear() {
      places.length = 0;
      suspects.clear();
    },
  };
}

/** Returns a name such as `db/1_lists.sql:7`, or only the script if the place concerns several statements. */
export function nameOfPlace(
  place: StatementPlace,
  { scripts, includes }: Pick<LoadScripts, 'scripts' | 'includes'>,
): string {
  const { script, start } = place;
  const text = [...scripts, ...includes].find(({ name }) => name === script)?.text;
  if (text === undefined || !isStatement(place)) return script;
  return `${script}:${text.slice(0, start).split('\n').length}`;
}
