/** Tells what the triggers of a table may do, from the texts of their functions. */
import type { TableTrigger } from '../model/catalog.ts';
import type { State } from './runStatement.ts';
import type { DdlTrigger, TriggerEffects } from './statement.ts';

type Routines = State['routines'];

export function toTrigger(
  name: string,
  { isBefore, events, routine = '', args }: DdlTrigger,
  routines: Routines,
): TableTrigger {
  const { fills, writes, mayFail, maySkip } = effectsOfCall(routine.toLowerCase(), args, routines);
  return { name, events, fills: isBefore ? fills : [], writes, mayRefuse: mayFail || (isBefore && maySkip) };
}

/** Functions of PostgreSQL, its usual extensions and Supabase that change no other rows. Some fill the column that they are given. */
const harmless: ReadonlySet<string> = new Set([
  'moddatetime',
  'tsvector_update_trigger',
  'suppress_redundant_updates_trigger',
  'http_request',
]);

function effectsOfCall(routine: string, args: readonly string[], routines: Routines): TriggerEffects {
  const own = routines.get(routine);
  if (own === undefined && harmless.has(routine))
    return { fills: args.slice(0, 1), writes: [], mayFail: false, maySkip: false };
  if (own === undefined) return { fills: 'any', writes: 'any', mayFail: true, maySkip: true };
  const called = calledBy(routine, routines);
  const writes = called.map(({ isUnclear, effects }) => (isUnclear ? 'any' : effects.writes));
  return {
    ...own.effects,
    writes: writes.includes('any') ? 'any' : writes.flatMap((tables) => (tables === 'any' ? [] : tables)),
    mayFail: called.some(({ effects }) => effects.mayFail),
  };
}

/** Returns a routine and all known ones that it calls, directly or not. */
function calledBy(routine: string, routines: Routines) {
  const names = new Set([routine]);
  for (const name of names) for (const inner of routines.get(name)?.calls ?? []) names.add(inner);
  return [...names].flatMap((name) => routines.get(name) ?? []);
}
