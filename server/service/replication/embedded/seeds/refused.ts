/** The statements for rows that could not be run, with reasons. */
import { usualLimits } from '../limits.ts';
import type { SkippedStep } from '../loading/run.ts';

export interface RefusedStatement {
  /** Absent if the problem is a row, regardless of the file that created it. */
  readonly file?: string;
  /** The line number, beginning with 1. */
  readonly line?: number;
  /** The message, which is a sentence. */
  readonly message: string;
}

/** A skipped statement of which the place in its script does not matter. */
type RefusedStep = Omit<SkippedStep, 'start'>;

/** The maximum number of statements that are named. */
const mostNamed = 3;

/** Returns sentences about the statements for rows that were left out. The rows may have been written in another way since then. */
export function lostRowsIn(skipped: readonly RefusedStep[]): readonly string[] {
  const lost = refusedIn(skipped, new Set(), usualLimits.script);
  const named = lost
    .slice(0, mostNamed)
    .map(
      ({ file, line, message }) =>
        `A statement was left out, so rows may be missing: ${file}:${line}: ${message}`,
    );
  const more = lost.length - mostNamed;
  if (more <= 0) return named;
  const others = more === 1 ? '1 other statement' : `${more} other statements`;
  return [...named, `Rows may also be missing because of ${others}.`];
}

/**
 * Returns the refused statements. All those of `seeds` are included, but only those of other scripts that create rows, because
 * missing policies and triggers do not matter here.
 *
 * @param longest the time limit of one statement, in milliseconds
 */
export function refusedIn(
  skipped: readonly RefusedStep[],
  seeds: ReadonlySet<string>,
  longest: number,
): RefusedStatement[] {
  return skipped
    .filter((step) => step.reason !== 'server' && (seeds.has(step.script) || changesRows(step)))
    .map((step) => ({
      file: step.script,
      line: step.line,
      message: whySkipped(step, skipped, longest),
    }));
}

/** Returns the reason why a statement was not run, as a sentence. */
export function whySkipped(step: RefusedStep, skipped: readonly RefusedStep[], longest: number): string {
  return `${reasonOf(step, longest)}${explanationOf(step, skipped)}`;
}

/** Whether the statement changes rows. It is empty if the entire script could not be committed. */
function changesRows({ statement }: RefusedStep): boolean {
  return (
    /^\s*(?:$|insert|update|delete|copy|merge|truncate)/i.test(statement) ||
    /^\s*with\b.*\b(?:insert\s+into|update|delete\s+from|merge\s+into)\b/is.test(statement)
  );
}

function reasonOf({ reason, message }: RefusedStep, longest: number): string {
  if (message !== undefined) return /[.!?]$/.test(message) ? message : `${message}.`;
  switch (reason) {
    case 'timeout':
      return `it takes longer than ${longest / 1000} s.`;
    case 'ended':
      return 'it ended the database.';
    case 'files':
      return 'it reads or writes a file of the server.';
    case 'psql':
      return 'it is a psql command.';
    default:
      return 'it failed.';
  }
}

const missingTable = /^relation "(?:[^"]+\.)?([^".]+)" does not exist/;
const madeTable = /^\s*create\s+(?:\w+\s+)*?table\s+(?:if\s+not\s+exists\s+)?(?:\S+\.)?"?([^\s".(]+)/i;

/** Explains a missing table. The name of the table is enough for people, regardless of the schema. */
function explanationOf({ message = '' }: RefusedStep, skipped: readonly RefusedStep[]): string {
  const name = missingTable.exec(message)?.[1]?.toLowerCase();
  if (name === undefined) return '';
  const maker = skipped.find(({ statement }) => madeTable.exec(statement)?.[1]?.toLowerCase() === name);
  if (maker === undefined) return ' No script of the project creates that table.';
  return ` The statement that creates it was not run (${maker.script}:${maker.line}): ${maker.message ?? 'it failed'}.`;
}
