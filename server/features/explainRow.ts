/** The buckets of a row and the conditions that exclude it, by the code that syncs rows. */
import {
  type Analysis,
  type KeyedTable,
  type Row,
  readRow,
  rowSentences,
  selectRecord,
  type Tracing,
  tableNamed,
  traceConfig,
  writeRow,
} from '../engine/index.ts';

interface ExplainedRule {
  readonly stream: string;
  readonly sentences: readonly string[];
  /** The place of the condition that decided. */
  readonly offset: number;
}

interface RowRules {
  /** The row as it is synced, or as it was given. */
  readonly row: string;
  readonly rules: readonly ExplainedRule[];
}

/** JSON, or the source's answer to `selectRecord`. */
interface GivenRow {
  readonly kind: 'json' | 'record';
  readonly text: string;
}

/** The statement whose answer is such a row; the text of the key is its parameter. */
export function rowQuery(table: KeyedTable): string {
  return selectRecord(table);
}

/** Undefined for anything but a sync config and a row. */
export function rulesOfRow({ config }: Analysis, table: string, given: GivenRow): RowRules | undefined {
  if (config === undefined) return undefined;
  const tracing = traceConfig(config);
  const found = rowOf(tracing, given);
  if (found === undefined) return undefined;
  const rules = tracing.tracer.row(tableNamed(table, config.surroundings), found.row).map((rule) => {
    const { sql, span } = tracing.at(rule.stream, rule.mismatch ?? rule.at);
    return { stream: rule.stream, sentences: rowSentences(rule, sql), offset: span.start };
  });
  return { row: found.text, rules };
}

function rowOf(tracing: Tracing, { kind, text }: GivenRow): { row: Row; text: string } | undefined {
  if (kind === 'record') {
    const row = tracing.recordOf(text);
    return row && { row, text: writeRow(row) };
  }
  const given = readRow(text);
  return given && { row: tracing.rowOf(given), text };
}
