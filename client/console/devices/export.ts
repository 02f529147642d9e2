/** Writes the rows of a device in formats for other programs. Values stay unchanged, and numbers keep all of their digits. */
import { type RowField, readRowFields } from '../../api/rowFields.ts';
import type { RowOnDevice } from './device.ts';

export const exportFormats = ['JSON', 'CSV', 'SQL'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportedTable {
  readonly name: string;
  readonly rows: readonly RowOnDevice[];
}

interface ExportText {
  readonly text: string;
  /** The number of rows that are left out because the device has only their beginning. */
  readonly cut: number;
}

export function writeExport(format: ExportFormat, tables: readonly ExportedTable[]): ExportText {
  const whole = tables.map(({ name, rows }) => ({ name, rows: rows.filter(({ cut }) => cut === undefined) }));
  const all = tables.reduce((sum, { rows }) => sum + rows.length, 0);
  const left = whole.reduce((sum, { rows }) => sum + rows.length, 0);
  return { text: writers[format](whole), cut: all - left };
}

const writers: Readonly<Record<ExportFormat, (tables: readonly ExportedTable[]) => string>> = {
  JSON: writeJson,
  CSV: writeCsv,
  SQL: writeSql,
};

function writeJson(tables: readonly ExportedTable[]): string {
  const parts = tables.map(({ name, rows }) => {
    const written = rows.map((row) => `    ${objectText(fieldsOf(row))}`);
    return `  ${JSON.stringify(name)}: [${written.length === 0 ? '' : `\n${written.join(',\n')}\n  `}]`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

function objectText(fields: readonly RowField[]): string {
  const pairs = fields.map((field) => `${JSON.stringify(field.name)}: ${jsonText(field)}`);
  return `{ ${pairs.join(', ')} }`;
}

function jsonText({ kind, text }: RowField): string {
  if (kind === 'null') return 'null';
  return kind === 'number' ? text : JSON.stringify(text);
}

/** Returns CSV as in RFC 4180. An empty string is in quotes, but NULL is not. */
function writeCsv(tables: readonly ExportedTable[]): string {
  const parts = tables.map(({ name, rows }) => {
    const read = rows.map((row) => new Map(fieldsOf(row).map((field) => [field.name, field])));
    const columns = [...new Set(read.flatMap((row) => [...row.keys()]))];
    const lines = [
      columns.map(csvText).join(','),
      ...read.map((row) => columns.map((column) => csvCell(row.get(column))).join(',')),
    ];
    const title = tables.length === 1 ? [] : [`# ${name.replaceAll(/\s/g, ' ')}`];
    return [...title, ...lines].map((line) => `${line}\r\n`).join('');
  });
  return parts.join('\r\n');
}

function csvCell(field: RowField | undefined): string {
  if (field === undefined || field.kind === 'null') return '';
  if (field.kind === 'number') return field.text;
  return field.text === '' ? '""' : csvText(field.text);
}

function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function writeSql(tables: readonly ExportedTable[]): string {
  return tables
    .flatMap(({ name, rows }) =>
      rows.map((row) => {
        const fields = fieldsOf(row);
        const columns = fields.map((field) => nameText(field.name)).join(', ');
        return `INSERT INTO ${nameText(name)} (${columns}) VALUES (${fields.map(sqlText).join(', ')});\n`;
      }),
    )
    .join('');
}

function nameText(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlText({ kind, text }: RowField): string {
  if (kind === 'null') return 'NULL';
  return kind === 'number' ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Returns the columns of a row. A device always has a column for the id, even if the row has none. */
function fieldsOf({ id, data }: RowOnDevice): readonly RowField[] {
  const fields = readRowFields(data) ?? [{ name: 'data', kind: 'text', text: data }];
  return [{ name: 'id', kind: 'text', text: id }, ...fields.filter(({ name }) => name !== 'id')];
}
