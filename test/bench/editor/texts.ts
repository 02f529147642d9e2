/** The files that language servers are measured with: the same for all of them. */

/** A file, and the line in it where somebody types. */
export interface BenchText {
  readonly name: string;
  readonly text: string;
  /** The line in the middle of the file, with `WHERE l.` in the query of a stream. */
  readonly line: number;
  readonly column: number;
  /** The column behind the third letter of the table, in the line above. */
  readonly tableColumn: number;
}

const head = 'config:\n  edition: 3\nstreams:\n';
/** The number of columns for a file of 12 MB. */
const columnsOfLargest = 14;

export function configOf(streams: number): BenchText {
  return placed(
    `${streams.toLocaleString('en')} streams`,
    Array.from({ length: streams }, (_, index) => streamOf(index, ['id', 'name'])),
  );
}

export function largestConfig(): BenchText {
  const columns = Array.from({ length: columnsOfLargest }, (_, index) => `col_${index}`);
  return placed(
    '12 MB, 38,000 streams',
    Array.from({ length: 38_000 }, (_, index) => streamOf(index, columns)),
  );
}

function placed(name: string, streams: readonly string[]): BenchText {
  const linesBefore = head.split('\n').length - 1 + Math.floor(streams.length / 2) * 4;
  const text = head + streams.join('');
  const line = linesBefore + 3;
  const above = text.split('\n', line)[line - 1] ?? '';
  const tableColumn = above.indexOf(' FROM ') + ' FROM tas'.length;
  return { name, text, line, column: '      WHERE l.'.length, tableColumn };
}

function streamOf(index: number, columns: readonly string[]): string {
  return [
    `  stream_${index}:`,
    '    query: |',
    `      SELECT ${columns.map((name) => `t.${name}`).join(', ')} FROM tasks_${index % 50} AS "t" JOIN lists AS l ON l.id = t.list_id`,
    `      WHERE l.owner_id = auth.user_id() AND t.kind = connection.parameter('kind_${index % 20}')`,
    '',
  ].join('\n');
}
