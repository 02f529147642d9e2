/** Writes constants as SQL. */
import type { LiteralValue } from '../sql/ast.ts';

export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns undefined for a number that the dialect cannot express. */
export function literalText(value: LiteralValue): string | undefined {
  switch (value.type) {
    case 'null':
      return 'NULL';
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE';
    case 'integer':
      return String(value.value);
    case 'real':
      return realText(value.value);
    case 'text':
      return textLiteral(value.value);
  }
}

/** Writes a REAL without an exponent, because the dialect has no exponents. */
function realText(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  const text = String(value);
  return text.includes('e') ? value.toFixed(100).replace(/0+$/, '') : text;
}
