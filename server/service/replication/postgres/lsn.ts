/** Positions in the log of PostgreSQL: LSNs, as text of fixed width, such as `00000001/0A2B3C4D`. */
import type { LogPosition } from '../../ground/logPosition.ts';

export function toLsn(position: bigint): LogPosition {
  const hex = position.toString(16).toUpperCase().padStart(16, '0');
  return `${hex.slice(0, 8)}/${hex.slice(8)}` as LogPosition;
}

/** Reads a position, also in the short form that PostgreSQL prints: `1/A2B3C4D`. Returns undefined for other texts. */
export function readLsn(text: string): LogPosition | undefined {
  const parts = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text);
  if (parts === null) return undefined;
  const [, high = '', low = ''] = parts;
  return toLsn((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`));
}

export function numberOf(lsn: LogPosition): bigint {
  return BigInt(`0x${lsn.replace('/', '')}`);
}
