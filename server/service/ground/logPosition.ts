/**
 * A position in the log of a source, as text. Only the source knows what the text means; every other room only compares and
 * stores it. A later position is a greater text, in the order of bytes.
 */
export type LogPosition = string & { readonly position: unique symbol };

/** A position before all others of every source. */
export const firstPosition = '00000000/00000000' as LogPosition;

export function laterOf(one: LogPosition, other: LogPosition | undefined): LogPosition {
  return other === undefined || other < one ? one : other;
}
