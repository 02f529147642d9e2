/** Writes names and SQL in the form that their place requires. */
import type { ScalarStyle } from '../../engine/yaml/nodes.ts';

export { nameText as nameFor } from '../../engine/sql/names.ts';
export { keyText as keyFor } from '../../engine/yaml/keys.ts';

/** Returns a piece of SQL as text inside a scalar. The caller handles line breaks. */
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
