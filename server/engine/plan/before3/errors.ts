/** Whether a plan may be made: not after an error. */
import { type Code, type Report, severityOf } from '../../diagnostics/diagnostics.ts';
import type { Reporter, SqlText } from '../../model/definition.ts';

interface WatchedReporter extends Reporter {
  /** An error was reported that leaves the meaning of the definition open. */
  readonly failed: () => boolean;
}

/** Errors that report a leak in other services: our plans enforce these conditions. */
const enforced: ReadonlySet<Code> = new Set<Code>(['same-parameter-twice', 'wildcard-filter']);

/** Syntax errors in the texts were reported when they were read. */
export function watchErrors({ atPart, inSql }: Reporter, texts: readonly SqlText[]): WatchedReporter {
  let failed = texts.some(({ sql }) => sql.problems.length > 0);
  const watched =
    (report: Report): Report =>
    (code, at, args) => {
      if (severityOf(code) === 'error' && !enforced.has(code)) failed = true;
      report(code, at, args);
    };
  return { atPart: watched(atPart), inSql: (text) => watched(inSql(text)), failed: () => failed };
}
