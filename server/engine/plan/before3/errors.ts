/** Watches for errors, after which no plan may be made. */
import { type Code, type Report, severityOf } from '../../diagnostics/diagnostics.ts';
import type { Reporter, SqlText } from '../../model/definition.ts';

interface WatchedReporter extends Reporter {
  /** Whether an error was reported after which the meaning of the definition is unclear. */
  readonly failed: () => boolean;
}

/** Errors about leaks in other services. Our plans enforce these conditions. */
const enforced: ReadonlySet<Code> = new Set<Code>(['same-parameter-twice', 'wildcard-filter']);

/** Watches a reporter for errors. Syntax errors in the texts were reported when the texts were parsed. */
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
