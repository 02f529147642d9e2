/** Explains which buckets a row is in and which conditions exclude it. The same code also decides when rows are synced. */
import {
  type Analysis,
  type Row,
  readRow,
  rowSentences,
  type Tracing,
  tableNamed,
  traceConfig,
  writeRow,
} from '../engine/index.ts';

interface ExplainedRule {
  readonly stream: string;
  readonly sentences: readonly string[];
  /** The offset of the condition that decides. */
  readonly offset: number;
}

interface RowRules {
  /** The row as it is synced, or else as the user entered it. */
  readonly row: string;
  readonly rules: readonly ExplainedRule[];
}

/** A row as JSON, or as the source's answer to `selectRecord`. */
interface GivenRow {
  readonly kind: 'json' | 'record';
  readonly text: string;
}

/** Returns undefined if the text is not a sync config, or if the row is not valid. */
export function rulesOfRow({ config }: Analysis, table: string, given: GivenRow): RowRules | undefined {
  if (config === undefined) return undefined;
  const tracing = traceConfig(config);
  const found = rowOf(tracing, given);
  if (found === undefined) return undefined;
  const rules = tracing.tracer.row(tableNamed(table, config.surroundings), found.row).map((rule) => {
    const { stream } = rule;
    const { span } = tracing.at(stream, rule.mismatch ?? rule.at);
    return { stream, sentences: rowSentences(rule, (at) => tracing.at(stream, at).sql), offset: span.start };
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
