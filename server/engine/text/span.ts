/** A half-open range of UTF-16 offsets. The text to which it refers is documented where it is used. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function span(start: number, end: number): Span {
  return { start, end };
}

/** Returns the smallest span that contains both. */
export function cover(first: Span, last: Span): Span {
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

export function isPartOf(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

export function shift(at: Span, by: number): Span {
  return by === 0 ? at : { start: at.start + by, end: at.end + by };
}

/** Compares spans by their order in the text. If two spans start together, the shorter one comes first. */
export function compareSpans(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
