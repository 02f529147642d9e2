/** Names and SQL as they must be written where they go. */
import type { ScalarStyle } from '../../engine/yaml/nodes.ts';

export { nameText as nameFor } from '../../engine/sql/names.ts';
export { keyText as keyFor } from '../../engine/yaml/keys.ts';

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
