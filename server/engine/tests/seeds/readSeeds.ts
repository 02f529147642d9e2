/**
 * Reads the rows that an SQL file inserts, as far as that is possible without a database: `INSERT … VALUES` with constants, and
 * `COPY … FROM stdin` as written by `pg_dump`. Statements that only a database can evaluate are rejected, because a guess could
 * create a different row.
 */
import { type DdlCursor, readName, readParentheses, take, tokenAhead } from '../../ddl/cursor.ts';
import { type DdlToken, nextDdlToken } from '../../ddl/lexer.ts';
import { readScript } from '../../ddl/script.ts';
import type { Catalog, CatalogTable, ColumnType } from '../../model/catalog.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { rowId, type TestedRow } from '../rowIndex.ts';

interface ReadSeeds {
  readonly rows: readonly TestedRow[];
  /** The reason why the file, or its first unreadable row, cannot be read. */
  readonly problem?: string;
}

interface SeedTable {
  readonly name: string;
  readonly known: CatalogTable | undefined;
  readonly columns: readonly string[];
}

class Unreadable extends Error {}

export function readTestSeeds(
  text: string,
  catalog: Catalog | undefined,
  defaultSchema = 'public',
): ReadSeeds {
  const rows: TestedRow[] = [];
  const lineAt = linesInOrder(text);
  try {
    for (const step of readScript(text)) {
      if (step.kind === 'command') continue;
      const tokens = tokensOf(text.slice(step.start, step.end));
      const cursor: DdlCursor = { tokens, at: 0 };
      const line = lineAt(step.start);
      const insert = (table: SeedTable, values: readonly SourceValue[]): void => {
        rows.push(rowOf(table, values, line));
      };
      if (step.kind === 'rows') copyRows(cursor, text.slice(step.rows.start, step.rows.end), insert);
      else if (take(cursor, 'insert', 'into')) insertRows(cursor, insert, line);
    }
    return { rows };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { rows, problem: thrown.message };
    throw thrown;
  }

  function tableAt(cursor: DdlCursor): SeedTable {
    const name = readName(cursor);
    if (name === undefined) throw new Unreadable('it inserts rows without naming a table.');
    const schema = name.schema ?? defaultSchema;
    const known = catalog?.tables.find((each) => each.name === name.name && each.schema === schema);
    const named = readParentheses(cursor).map(([token]) => token?.text ?? '');
    const columns = named.length > 0 ? named : [...(known?.columns.keys() ?? [])];
    const full = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
    if (columns.length === 0)
      throw new Unreadable(`the columns of ${full} are unknown. List them after the name of the table.`);
    return { name: full, known, columns };
  }

  function insertRows(
    cursor: DdlCursor,
    insert: (table: SeedTable, values: readonly SourceValue[]) => void,
    line: number,
  ): void {
    const table = tableAt(cursor);
    if (!take(cursor, 'values'))
      throw new Unreadable(
        `line ${line} inserts values that only a database can compute. Write VALUES with constants.`,
      );
    do {
      const values = readParentheses(cursor);
      insert(
        table,
        values.map((tokens) => constantOf(tokens, line)),
      );
    } while (takeComma(cursor));
  }

  function copyRows(
    cursor: DdlCursor,
    lines: string,
    insert: (table: SeedTable, values: readonly SourceValue[]) => void,
  ): void {
    if (!take(cursor, 'copy')) return;
    const table = tableAt(cursor);
    for (const line of lines.split('\n')) {
      if (line === '\\.' || line === '') continue;
      insert(
        table,
        line.split('\t').map((field) => (field === '\\N' ? null : unescapeText(field))),
      );
    }
  }
}

/**
 * Returns a function from offsets to line numbers, counted from 1. The offsets must be ascending, because a file may have a million
 * statements.
 */
function linesInOrder(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    while (next !== -1 && next < offset) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}

function tokensOf(sql: string): DdlToken[] {
  const tokens: DdlToken[] = [];
  for (let token = nextDdlToken(sql, 0); token; token = nextDdlToken(sql, token.end)) tokens.push(token);
  return tokens;
}

function takeComma(cursor: DdlCursor): boolean {
  const follows = tokenAhead(cursor)?.text === ',';
  if (follows) cursor.at += 1;
  return follows;
}

function rowOf({ name, known, columns }: SeedTable, values: readonly SourceValue[], line: number): TestedRow {
  if (values.length !== columns.length)
    throw new Unreadable(
      `line ${line} needs a value for each column of ${name}: ${values.length} instead of ${columns.length}.`,
    );
  const row: Record<string, SourceValue> = Object.create(null);
  columns.forEach((column, index) => {
    row[column] = convertTo(values[index] ?? null, known?.columns.get(column)?.type);
  });
  return { table: name, id: rowId(row), values: row };
}

/** Converts text to a value of the column's type, as PostgreSQL does. */
function convertTo(value: SourceValue, type: ColumnType | undefined): SourceValue {
  if (typeof value === 'bigint' && type === 'real') return Number(value);
  if (typeof value === 'bigint' && type === 'text') return value.toString();
  if (typeof value !== 'string') return value;
  if (type === 'integer') {
    if (/^[+-]?\d+$/.test(value)) return BigInt(value);
    if (/^(?:t|true|f|false)$/i.test(value)) return /^t/i.test(value) ? 1n : 0n;
  }
  return type === 'real' && /\d/.test(value) && !Number.isNaN(Number(value)) ? Number(value) : value;
}

function constantOf(tokens: readonly DdlToken[], line: number): SourceValue {
  const [first, second, ...rest] = tokens;
  const isCast = (next: DdlToken | undefined) => next === undefined || next.text === '::';
  if (first?.kind === 'symbol' && /^[+-]$/.test(first.text) && second?.kind === 'number' && isCast(rest[0]))
    return numberOf(first.text + second.text);
  if (first !== undefined && isCast(second)) {
    if (first.kind === 'number') return numberOf(first.text);
    if (first.kind === 'string') return stringOf(first.text);
    if (first.kind === 'word' && ['null', 'true', 'false'].includes(first.text))
      return first.text === 'null' ? null : first.text === 'true';
  }
  const written = tokens.map(({ text }) => text).join(' ');
  throw new Unreadable(
    `line ${line} has \`${written}\`, which only a database can compute. Write a constant.`,
  );
}

function numberOf(text: string): SourceValue {
  return text.includes('.') ? Number(text) : BigInt(text.replace(/^\+/, ''));
}

function stringOf(written: string): string {
  if (written.startsWith('$')) return written.replace(/^\$\w*\$|\$\w*\$$/g, '');
  const inner = written.slice(written.indexOf("'") + 1, -1).replaceAll("''", "'");
  return /^e/i.test(written) ? unescapeText(inner) : inner;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign);
}
