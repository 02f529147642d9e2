/**
 * A position in a source's log, as text of fixed width: `00000001/0A2B3C4D`. Because of that width, positions can be compared as
 * text.
 */
export type Lsn = string & { readonly lsn: unique symbol };

export const zeroLsn = toLsn(0n);

export function toLsn(position: bigint): Lsn {
  const hex = position.toString(16).toUpperCase().padStart(16, '0');
  return `${hex.slice(0, 8)}/${hex.slice(8)}` as Lsn;
}

/** Reads a position, also in the short form that PostgreSQL prints: `1/A2B3C4D`. Returns undefined for other texts. */
export function readLsn(text: string): Lsn | undefined {
  const parts = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text);
  if (parts === null) return undefined;
  const [, high = '', low = ''] = parts;
  return toLsn((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`));
}

export function positionOf(lsn: Lsn): bigint {
  return BigInt(`0x${lsn.replace('/', '')}`);
}

export function laterOf(one: Lsn, other: Lsn | undefined): Lsn {
  return other === undefined || other < one ? one : other;
}
