/** Converts `db/schema.rb` of Rails to the SQL that creates its tables. */
import { keyNameOf } from '../names/relations.ts';
import { quoteName } from '../sql/names.ts';

/** Returns undefined for any other text. */
export function railsSchemaToSql(text: string): string | undefined {
  if (!/\bActiveRecord::Schema\b/.test(text)) return undefined;
  const tables = [...text.matchAll(table)].map(([, name = '', options = '', body = '']) =>
    tableSql(name, options, body),
  );
  const keys = [...text.matchAll(foreignKey)].map(([, name = '', parent = '', options = '']) =>
    foreignKeySql(name, parent, options),
  );
  const enums = [...text.matchAll(/^\s*create_enum\s+[:"](\w+)"?,\s*\[([^\]]*)\]/gm)].map(
    ([, name = '', values = '']) =>
      `CREATE TYPE ${quoteName(name)} AS ENUM (${values.replaceAll('"', "'")});`,
  );
  return tables.length === 0 ? undefined : [...enums, ...tables, ...keys].join('\n');
}

const table = /^\s*create_table\s+[:"]([\w.]+)"?(.*?)\s+do\s*\|t\|[^\n]*\n([\s\S]*?)^\s*end\b/gm;

/** Keys of several columns are left out, because no column of them refers to another table alone. */
const foreignKey = /^\s*add_foreign_key\s+[:"]([\w.]+)"?,\s*[:"]([\w.]+)"?((?!.*\bcolumn:\s*\[).*)$/gm;

function foreignKeySql(name: string, parent: string, options: string): string {
  const option = (word: string): string | undefined =>
    new RegExp(`\\b${word}:\\s*[:"](\\w+)`).exec(options)?.[1];
  const column = option('column') ?? keyNameOf(parent.split('.').at(-1) ?? parent);
  const effect = effects[option('on_delete') ?? ''];
  return `ALTER TABLE ${qualifiedName(name)} ADD FOREIGN KEY (${quoteName(column)}) REFERENCES ${qualifiedName(parent)} (${quoteName(option('primary_key') ?? 'id')})${effect === undefined ? '' : ` ON DELETE ${effect}`};`;
}

const effects: Readonly<Record<string, string>> = {
  cascade: 'CASCADE',
  nullify: 'SET NULL',
  restrict: 'RESTRICT',
};

/** Writes a name that may begin with a schema and a dot. */
function qualifiedName(name: string): string {
  return name.split('.').map(quoteName).join('.');
}

function tableSql(name: string, options: string, body: string): string {
  const columns = [
    ...keyOf(options),
    ...[...body.matchAll(/^\s*t\.(\w+)\s+[:"](\w+)"?(.*)$/gm)].flatMap(
      ([, type = '', column = '', rest = '']) => columnSql(type, column, rest),
    ),
  ];
  const composite = /primary_key:\s*\[([^\]]*)\]/.exec(options)?.[1];
  const key =
    composite === undefined ? [] : [`PRIMARY KEY (${composite.replaceAll(/[:"]?(\w+)"?/g, '"$1"')})`];
  return `CREATE TABLE ${qualifiedName(name)} (\n  ${[...columns, ...key].join(',\n  ')}\n);`;
}

function keyOf(options: string): readonly string[] {
  if (/\bid:\s*false\b/.test(options) || /primary_key:\s*\[/.test(options)) return [];
  const name = /primary_key:\s*"(\w+)"/.exec(options)?.[1] ?? 'id';
  const type = /\bid:\s*:(\w+)/.exec(options)?.[1];
  if (type === 'uuid') return [`${quoteName(name)} uuid PRIMARY KEY DEFAULT gen_random_uuid()`];
  const serial = type === 'integer' || type === 'serial' ? 'serial' : 'bigserial';
  const sql = type === undefined || type === 'bigint' || serial === 'serial' ? serial : (types[type] ?? type);
  return [`${quoteName(name)} ${sql} PRIMARY KEY`];
}

/** Returns undefined if the line is not a column but, for example, an index. */
function columnSql(type: string, name: string, rest: string): readonly string[] {
  const notNull = `${defaultOf(rest)}${/\bnull:\s*false\b/.test(rest) ? ' NOT NULL' : ''}`;
  if (type === 'references' || type === 'belongs_to') {
    const of = /\btype:\s*:(\w+)/.exec(rest)?.[1] ?? 'bigint';
    return [`${quoteName(`${name}_id`)} ${types[of] ?? of}${notNull}`];
  }
  const sql = type === 'enum' ? /\benum_type:\s*[:"](\w+)/.exec(rest)?.[1] : types[type];
  if (sql === undefined) return [];
  const limit = /\blimit:\s*(\d+)/.exec(rest)?.[1];
  const precision = /\bprecision:\s*(\d+)(?:,\s*scale:\s*(\d+))?/.exec(rest);
  const size =
    type === 'decimal' && precision
      ? `(${precision[1]},${precision[2] ?? 0})`
      : type === 'string' && limit !== undefined
        ? `(${limit})`
        : '';
  const whole =
    type === 'integer' && limit === '8' ? 'bigint' : type === 'integer' && limit === '2' ? 'smallint' : sql;
  return [`${quoteName(name)} ${whole}${size}${/\barray:\s*true\b/.test(rest) ? '[]' : ''}${notNull}`];
}

/** Reads `default: "draft"`, `default: 0`, `default: false` and `default: -> { "now()" }`. */
function defaultOf(rest: string): string {
  const [, constant, text, expression] =
    /\bdefault:\s*(?:(true|false|-?\d+(?:\.\d+)?)\b|"([^"\\]*)"|->\s*\{\s*"([^"\\]*)"\s*\})/.exec(rest) ?? [];
  if (text !== undefined) return ` DEFAULT '${text.replaceAll("'", "''")}'`;
  const value = constant ?? expression;
  return value === undefined ? '' : ` DEFAULT ${value}`;
}

const types: Readonly<Record<string, string>> = {
  string: 'varchar',
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  numeric: 'numeric',
  datetime: 'timestamp',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  date: 'date',
  time: 'time',
  boolean: 'boolean',
  binary: 'bytea',
  json: 'json',
  jsonb: 'jsonb',
  uuid: 'uuid',
  inet: 'inet',
  cidr: 'cidr',
  macaddr: 'macaddr',
  hstore: 'hstore',
  citext: 'citext',
  interval: 'interval',
  tsvector: 'tsvector',
  virtual: 'text',
};
