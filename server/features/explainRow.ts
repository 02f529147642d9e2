/** Where a row goes and what excludes it, by the code that syncs rows. */
import {
  type Analysis,
  type KeyedTable,
  type Row,
  readRow,
  selectRecord,
  type Tracing,
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
  /** As it is synced, or as it was given. */
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
  const { defaultSchema } = config.surroundings;
  const rules = tracing.tracer.row(tableNamed(table, defaultSchema), found.row).map((rule) => {
    const { sql, span } = tracing.at(rule.stream, rule.mismatch ?? rule.at);
    return { stream: rule.stream, sentences: sentencesOf(rule, sql), offset: span.start };
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

type RuleTrace = ReturnType<Tracing['tracer']['row']>[number];

function tableNamed(name: string, defaultSchema: string) {
  const dot = name.indexOf('.');
  return dot === -1
    ? { tag: 'default', schema: defaultSchema, name }
    : { tag: 'default', schema: name.slice(0, dot), name: name.slice(dot + 1) };
}

/** @param sql what decided, as it is written */
function sentencesOf(rule: RuleTrace, sql: string): readonly string[] {
  switch (rule.outcome) {
    case 'given':
      return [
        ...rule.rows.map(({ bucket, table, data }) => `goes to bucket ${bucket}, as ${table} ${data}`),
        ...rule.entries.map(({ values }) =>
          values.length === 0
            ? 'lets clients into other buckets'
            : `lets clients into other buckets, by ${values.map(valueText).join(', ')}`,
        ),
      ];
    case 'no element':
      return ['has no element for the table function of this query'];
    case 'failed':
      return [`fails with ${rule.failure?.code} at ${sql}`];
    case 'no key':
      return [`goes nowhere: ${sql} is NULL, or no value that can name a bucket`];
    case 'filtered':
      return [`goes nowhere: ${sql} does not hold${readings(rule)}`];
  }
}

/** `, with archived = 1` */
function readings({ combinations }: RuleTrace): string {
  const condition = combinations[0]?.conditions.find(({ holds }) => !holds);
  const values = (condition?.values ?? []).map(({ text, value }) => {
    // The only table of a query has no name there.
    const name = text.replace(/^\./, '');
    return `${name} = ${valueText(value)}`;
  });
  return values.length === 0 ? '' : `, with ${values.join(', ')}`;
}

/** In SQL's own notation. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value instanceof Uint8Array ? `a BLOB of ${value.length} bytes` : String(value);
}
