/** The tables that clients of a sync config have, as far as the tables of the source are known. */
import { analyze, clientTablesOf, type KnownSource, severityOf } from '../engine/index.ts';

/** Returns undefined if no service would run it. */
export function clientTablesIn(
  text: string,
  source: KnownSource | undefined,
): ReturnType<typeof clientTablesOf> | undefined {
  const { config, findings } = analyze(text, { ...source, kind: 'sync' });
  if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error')) return undefined;
  return clientTablesOf(config, source?.catalog);
}
