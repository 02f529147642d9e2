/** Creates objects whose absence makes a statement fail, because projects rely on objects that their host has set up. */
import { quoteName } from '../../../../engine/sql/names.ts';
import { extensionOfFunction, extensionOfOperators, extensionOfType, standInFor } from './extensions.ts';
import type { LoadStep } from './step.ts';

/** A step that runs in the database. */
export type Runnable = Extract<LoadStep, { kind: 'run' | 'copy' | 'extension' }>;

interface Remedy {
  readonly sql: string;
  /** `precedes`: the remedy runs first, and then the statement is tried again. `replaces`: nothing else must be done. */
  readonly kind: 'precedes' | 'replaces';
  /** The required rights. The owner's rights are only for SQL that consists of our own texts and of names. */
  readonly rights: 'user' | 'owner';
}

interface Problem {
  readonly code?: string;
  readonly message: string;
}

/**
 * Returns the statement that creates the missing object. PostgreSQL names the object only in its message, which is English here.
 */
export function remedyFor(step: Runnable, { code, message }: Problem): Remedy | undefined {
  if (step.kind === 'extension') {
    const sql = standInFor(step.name, step.schema);
    return sql === undefined || !isMissingExtension(code)
      ? undefined
      : { sql, kind: 'replaces', rights: 'owner' };
  }
  if (isThere(code, step.sql)) return { sql: 'SELECT', kind: 'replaces', rights: 'user' };
  if (code === insufficientPrivilege) return remedyForRights(step.sql, message);
  const remedy = (sql: string): Remedy => ({ sql, kind: 'precedes', rights: 'user' });
  const [, kind, name = ''] = missing.exec(message) ?? [];
  if (kind === 'role') return remedy(`CREATE ROLE ${quoteName(name)} NOLOGIN`);
  if (kind === 'schema' && /^create\b/i.test(step.sql)) return remedy(`CREATE SCHEMA ${quoteName(name)}`);
  if (kind === 'function' && isTimedUuid.test(name)) return remedy(timedUuid(name));
  if (kind === 'publication') return remedy(`CREATE PUBLICATION ${quoteName(name)}`);
  const extension = extensionFor(message, kind, name);
  return extension === undefined ? undefined : install(extension, name);
}

const insufficientPrivilege = '42501';

/** Replaces a statement that needs a superuser by one that has the same effect here. */
function remedyForRights(sql: string, message: string): Remedy | undefined {
  const replaceBy = (text: string): Remedy => ({ sql: text, kind: 'replaces', rights: 'user' });
  if (/^alter\s+table\b/i.test(sql) && /is a system trigger/.test(message))
    return replaceBy(sql.replace(/\b((?:en|dis)able\s+trigger)\s+all\b/i, '$1 USER'));
  if (/^create\s+(?:role|user)\b/i.test(sql)) return replaceBy(sql.replace(/\bsuperuser\b/i, ''));
  // The role that creates an extension owns it, but not its members.
  if (movesExtension.test(sql)) return { sql, kind: 'replaces', rights: 'owner' };
  // The owner's rights are needed, because only a superuser may give a table to a role that could not have created it.
  const [, schema] = /^permission denied for schema (.+)$/.exec(message) ?? [];
  const [, owner] = /^alter\s.*\sowner\s+to\s+("(?:[^"]|"")+"|\w+)\s*$/is.exec(sql) ?? [];
  return schema === undefined || owner === undefined
    ? undefined
    : { sql: `GRANT CREATE ON SCHEMA ${quoteName(schema)} TO ${owner}`, kind: 'precedes', rights: 'user' };
}

const movesExtension = /^alter\s+extension\s+(?:"[^"]+"|\w+)\s+set\s+schema\s+(?:"[^"]+"|\w+)\s*$/i;

/** Whether the script creates a schema, a role or a publication that was already created for the script. */
function isThere(code: string | undefined, sql: string): boolean {
  return (code === '42P06' || code === '42710') && /^create\s+(?:schema|role|user|publication)\b/i.test(sql);
}

const missing =
  /\b(role|schema|publication|type|function|operator class) "?([^"( ]+)"?(?:\([^)]*\))? does not exist/;

/**
 * Whether the code means that an extension is missing. `0A000`: not available. `58P01`: its files are missing. `42704`: a schema
 * or an extension that it needs is missing.
 */
function isMissingExtension(code: string | undefined): boolean {
  return code === '0A000' || code === '58P01' || code === '42704';
}

function extensionFor(message: string, kind: string | undefined, qualified: string): string | undefined {
  const name = qualified.replace(/^.*\./, '');
  if (kind === 'type') return extensionOfType(name);
  if (kind === 'function') return extensionOfFunction(name);
  if (kind === 'operator class') return extensionOfOperators(name);
  return /has no default operator class for access method "(gist|gin)"/.exec(message)
    ? `btree_${/"(gist|gin)"/.exec(message)?.[1]}`
    : undefined;
}

/** The names of functions for UUIDs of version 7, which newer databases and extensions have. */
const isTimedUuid = /^(?:\w+\.)?(?:uuidv7|uuid_v7|uuid7|uuid_generate_v7|gen_uuid_v7|generate_uuid_v7)$/;

/** Returns SQL for such a function: milliseconds, then the version and random bits. */
function timedUuid(qualified: string): string {
  const name = qualified.split('.').map((part) => `"${part}"`);
  return `CREATE FUNCTION ${name.join('.')}() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
      52, 1), 53, 1), 'hex')::uuid $$`;
}

/**
 * Returns a statement that installs the extension in the schema in which the statement looks for it, or else in the first schema
 * of the search path.
 */
function install(extension: string, qualified: string): Remedy {
  const schema = qualified.includes('.') ? qualified.replace(/\..*$/, '') : undefined;
  const standIn = standInFor(extension, schema);
  if (standIn !== undefined) return { sql: standIn, kind: 'precedes', rights: 'owner' };
  const place = schema === undefined ? '' : ` SCHEMA ${quoteName(schema)}`;
  return {
    sql: `CREATE EXTENSION IF NOT EXISTS ${quoteName(extension)}${place}`,
    kind: 'precedes',
    rights: 'user',
  };
}
