/**
 * Ends the process after exceptions that leave PostgreSQL's state unknown: it ran out of stack, exited or crashed. PGlite ignores
 * such exceptions and calls the same code again, so that the database would hang or return wrong answers.
 */
import type { PGlite } from '@electric-sql/pglite';
import { tooMuchMemory } from '../parent.ts';
import { type Engine, engineOf } from './engine.ts';

type Step = keyof Pick<
  Engine,
  '_PostgresMainLoopOnce' | '_PostgresMainLongJmp' | '_PostgresSendReadyForQueryIfNecessary' | '_pgl_pq_flush'
>;

const steps: readonly Step[] = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
];

/** @param end must not return */
export function watchForFaults(database: PGlite, end: (reason: string) => never): void {
  const engine = engineOf(database);
  for (const step of steps) {
    const run = engine[step];
    engine[step] = () => {
      try {
        run();
      } catch (error) {
        if (isJump(error)) throw error;
        end(reasonOf(error));
      }
    };
  }
}

/** The exit code with which PGlite reports that PostgreSQL returns to its main loop after an error. */
const jumpCode = 100;

function isJump(error: unknown): boolean {
  return (error as { readonly status?: unknown } | null)?.status === jumpCode;
}

function reasonOf(error: unknown): string {
  const { name, message = String(error) } = error as Error;
  if (name === 'RangeError' && /call stack/.test(message))
    return 'it is nested too deeply, or calls itself endlessly';
  if (name === 'RangeError') return tooMuchMemory;
  return `PostgreSQL ended: ${message}`;
}
