/** Converts a Prisma schema to the SQL that creates its tables. */
import { quoteName } from '../sql/names.ts';

/** Returns undefined for a schema of a database other than PostgreSQL, or without models. */
export function prismaToSql(text: string): string | undefined {
  const blocks = blocksIn(text);
  const provider = blocks
    .filter(({ kind }) => kind === 'datasource')
    .flatMap(({ lines }) => lines.flatMap((line) => /^provider\s*=\s*"(\w+)"/.exec(line)?.[1] ?? []))[0];
  if (provider !== undefined && !/^(?:postgres|postgresql|cockroachdb)$/.test(provider)) return undefined;
  const models = blocks.filter(({ kind }) => kind === 'model');
  if (models.length === 0) return undefined;
  const enums = new Map(blocks.filter(({ kind }) => kind === 'enum').map((block) => [block.name, block]));
  const schemas = new Set(blocks.flatMap((block) => attribute(block, 'schema') ?? []));
  return [
    ...[...schemas].map((schema) => `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`),
    ...[...enums.values()].map(enumSql),
    ...models.map((model) => tableSql(model, enums)),
    ...models.flatMap((model) => keysSql(model, models, enums)),
  ].join('\n');
}

interface Block {
  readonly kind: string;
  readonly name: string;
  /** The lines without comments and surrounding blanks. */
  readonly lines: readonly string[];
}

function blocksIn(text: string): readonly Block[] {
  return [...text.matchAll(/^[ \t]*(datasource|model|enum|view|type)\s+(\w+)\s*\{([\s\S]*?)^[ \t]*\}/gm)].map(
    ([, kind = '', name = '', body = '']) => ({
      kind,
      name,
      lines: body
        .split(/\r?\n/)
        .map((line) => line.replace(/\/\/.*$/, '').trim())
        .filter((line) => line !== ''),
    }),
  );
}

/** Reads `@@map("name")` or `@@schema("name")`. */
function attribute({ lines }: Block, name: string): string | undefined {
  const form = new RegExp(`^@@${name}\\(\\s*(?:name:\\s*)?"([^"]+)"`);
  return lines.flatMap((line) => form.exec(line)?.[1] ?? [])[0];
}

function nameOf(block: Block): string {
  const name = quoteName(attribute(block, 'map') ?? block.name);
  const schema = attribute(block, 'schema');
  return schema === undefined ? name : `${quoteName(schema)}.${name}`;
}

function enumSql(block: Block): string {
  const values = block.lines.filter((line) => !line.startsWith('@@')).map(enumText);
  return `CREATE TYPE ${nameOf(block)} AS ENUM (${values.join(', ')});`;
}

/** Returns the value of an enum on this line, as a string of SQL. */
function enumText(line: string): string {
  return `'${/@map\("([^"]+)"\)/.exec(line)?.[1] ?? /^\w+/.exec(line)?.[0] ?? ''}'`;
}

interface Field {
  /** The name in the model, which may differ from that of the column. */
  readonly name: string;
  readonly column: string;
  readonly sql: string;
  readonly isKey: boolean;
}

function tableSql(model: Block, enums: ReadonlyMap<string, Block>): string {
  const fields = fieldsOf(model, enums);
  const keys = keyOf(model, fields);
  const parts = [
    ...fields.map(({ column, sql }) => `${quoteName(column)} ${sql}`),
    ...(keys.length > 0 ? [`PRIMARY KEY (${listOf(keys)})`] : []),
  ];
  return `CREATE TABLE ${nameOf(model)} (\n  ${parts.join(',\n  ')}\n);`;
}

function fieldsOf(model: Block, enums: ReadonlyMap<string, Block>): readonly Field[] {
  return model.lines.flatMap((line) => fieldIn(line, enums) ?? []);
}

/** Returns the fields of the primary key. */
function keyOf(model: Block, fields: readonly Field[]): readonly Field[] {
  const listed = model.lines.flatMap((line) =>
    namesIn(/^@@id\(\s*(?:fields:\s*)?\[([^\]]*)\]/.exec(line)?.[1] ?? ''),
  );
  return fields.filter(({ isKey, name }) => isKey || listed.includes(name));
}

/** Reads a list of names such as `a, b(sort: Desc)`. */
function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.replace(/\(.*$/, '').trim() || []);
}

/**
 * Returns foreign keys, as in `owner User @relation(fields: [ownerId], references: [id])`. They follow all tables, because they may
 * refer to any of them. A key of several columns must refer to the primary key, because other unique columns are not created.
 */
function keysSql(
  model: Block,
  models: readonly Block[],
  enums: ReadonlyMap<string, Block>,
): readonly string[] {
  return model.lines.flatMap((line) => {
    const [, type = '', rest = ''] = /^\w+\s+(\w+)\??\s+@relation\((.*)\)/.exec(line) ?? [];
    const [, action = ''] = /\bonDelete:\s*(\w+)/.exec(rest) ?? [];
    const other = models.find(({ name }) => name === type);
    const columns = namedFields(fieldsOf(model, enums), /\bfields:\s*\[([^\]]*)\]/.exec(rest)?.[1] ?? '');
    const others = other ? fieldsOf(other, enums) : [];
    const targets = namedFields(others, /\breferences:\s*\[([^\]]*)\]/.exec(rest)?.[1] ?? '');
    if (!other || columns.length === 0 || columns.length !== targets.length) return [];
    if (targets.length > 1 && !isSame(targets, keyOf(other, others))) return [];
    const key = `FOREIGN KEY (${listOf(columns)}) REFERENCES ${nameOf(other)} (${listOf(targets)})`;
    // Prisma's defaults are used if the model names no action.
    const usual = columns.some(({ sql }) => / NOT NULL\b/.test(sql)) ? 'RESTRICT' : 'SET NULL';
    return [`ALTER TABLE ${nameOf(model)} ADD ${key} ON DELETE ${deletions.get(action) ?? usual};`];
  });
}

/** The actions of SQL, by their names in a model. */
const deletions = new Map([
  ['Cascade', 'CASCADE'],
  ['NoAction', 'NO ACTION'],
  ['Restrict', 'RESTRICT'],
  ['SetDefault', 'SET DEFAULT'],
  ['SetNull', 'SET NULL'],
]);

/** Returns the fields with these names, in their order, or nothing if one is missing. */
function namedFields(fields: readonly Field[], list: string): readonly Field[] {
  const names = namesIn(list);
  const found = names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return found.length === names.length ? found : [];
}

function isSame(some: readonly Field[], others: readonly Field[]): boolean {
  return some.length === others.length && some.every((field) => others.includes(field));
}

function listOf(fields: readonly Field[]): string {
  return fields.map(({ column }) => quoteName(column)).join(', ');
}

/** Returns undefined if the line is not a column but a relation or an attribute of the model. */
function fieldIn(line: string, enums: ReadonlyMap<string, Block>): Field | undefined {
  const [, name = '', type = '', unsupported, mark = '', rest = ''] =
    /^(\w+)\s+(\w+)(?:\("([^"]*)"\))?(\[\]|\?)?(.*)$/.exec(line) ?? [];
  const block = enums.get(type);
  const sqlType = unsupported ?? (block ? nameOf(block) : nativeType(type, rest));
  if (name === '' || sqlType === undefined) return undefined;
  const isSerial = /@default\(autoincrement\(\)\)/.test(rest);
  const notNull = mark === '' ? ' NOT NULL' : '';
  const array = mark === '[]' ? '[]' : '';
  return {
    name,
    column: /@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(rest)?.[1] ?? name,
    sql: `${isSerial ? (serials[sqlType] ?? 'serial') : sqlType}${array}${notNull}${defaultOf(rest, block)}`,
    isKey: /@id\b/.test(rest),
  };
}

const serials: Readonly<Record<string, string>> = { bigint: 'bigserial', smallint: 'smallserial' };

const types: Readonly<Record<string, string>> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'decimal(65,30)',
  DateTime: 'timestamp(3)',
  Json: 'jsonb',
  Bytes: 'bytea',
};

const nativeTypes: Readonly<Record<string, string>> = { DoublePrecision: 'double precision', ByteA: 'bytea' };

/** Returns a type such as `@db.VarChar(20)`, which overrides that field's type. */
function nativeType(type: string, rest: string): string | undefined {
  const known = types[type];
  const [, native, size = ''] = /@db\.(\w+)(\([^)]*\))?/.exec(rest) ?? [];
  if (known === undefined || native === undefined) return known;
  return `${nativeTypes[native] ?? native.toLowerCase()}${size}`;
}

/** Returns a default of the database. Prisma's client computes the other defaults. */
function defaultOf(rest: string, ofEnum: Block | undefined): string {
  if (/@default\(now\(\)\)/.test(rest)) return ' DEFAULT now()';
  if (/@default\(dbgenerated\("gen_random_uuid\(\)"\)\)/.test(rest)) return ' DEFAULT gen_random_uuid()';
  const [, value] = /@default\((true|false|-?\d+(?:\.\d+)?)\)/.exec(rest) ?? [];
  if (value !== undefined) return ` DEFAULT ${value}`;
  const [, name] = /@default\((\w+)\)/.exec(rest) ?? [];
  const line = ofEnum?.lines.find((each) => /^\w+/.exec(each)?.[0] === name);
  if (line !== undefined) return ` DEFAULT ${enumText(line)}`;
  const [, text] = /@default\("((?:[^"\\])*)"\)/.exec(rest) ?? [];
  return text === undefined ? '' : ` DEFAULT '${text.replaceAll("'", "''")}'`;
}
