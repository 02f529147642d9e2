/** Names and SQL as they must be written where they go. */
import { reservedWords } from '../engine/sql/words.ts';
import type { ScalarStyle } from '../engine/yaml/nodes.ts';

/** A name in SQL: with quotes where it would be folded, or read as something else. */
export function nameFor(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !reservedWords.has(name);
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A key in YAML: with quotes where it would be no text. */
export function keyFor(name: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}

/** A piece of SQL inside of a scalar. Its line breaks are the business of the caller. */
export function textFor(sql: string, style: ScalarStyle): string {
  switch (style) {
    case 'single':
      return sql.replaceAll("'", "''");
    case 'double':
      return sql.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    default:
      return sql;
  }
}
