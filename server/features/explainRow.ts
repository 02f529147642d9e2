/** Explains which buckets a row is in and which conditions exclude it. The same code also decides when rows are synced. */
import { type Analysis, readRow, rowSentences, tableNamed, traceConfig, writeRow } from '../engine/index.ts';

/** A row as JSON, or as the source's answer to `selectRecord`. */
interface GivenRow {
  readonly kind: 'json' | 'record';
  readonly text: string;
}

/**
 * Returns the row as it is synced, or else as the user entered it, and the rules with the offsets of the conditions that decide.
 * Undefined if the text is not a sync config, or if the row is not valid.
 */
export function rulesOfRow({ config }: Analysis, table: string, given: GivenRow) {
  if (config === undefined) return undefined;
  const { tracer, recordOf, rowOf, at } = traceConfig(config);
  const entered = given.kind === 'json' ? readRow(given.text) : undefined;
  const row = given.kind === 'record' ? recordOf(given.text) : entered && rowOf(entered);
  if (row === undefined) return undefined;
  const rules = tracer.row(tableNamed(table, config.surroundings), row).map((rule) => {
    const { stream } = rule;
    const { span } = at(stream, rule.mismatch ?? rule.at);
    return { stream, sentences: rowSentences(rule, (place) => at(stream, place).sql), offset: span.start };
  });
  return { row: given.kind === 'record' ? writeRow(row) : given.text, rules };
}
