/** The tables that a sync config creates on clients, as far as the tables of the source are known. */
import { analyze, clientTablesOf, type KnownSource, severityOf } from '../engine/index.ts';

/** Returns undefined if a service would not run the config. */
export function clientTablesIn(
  text: string,
  source: KnownSource | undefined,
): ReturnType<typeof clientTablesOf> | undefined {
  const { config, findings } = analyze(text, { ...source, kind: 'sync' });
  if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error')) return undefined;
  return clientTablesOf(config, source?.catalog);
}
