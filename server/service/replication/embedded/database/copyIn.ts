/** `COPY … FROM STDIN`: the database cannot read from a connection, but it can from a blob. */

/** The statement that reads from the blob; undefined if it is not such a statement. */
export function toBlobCopy(sql: string): string | undefined {
  const match = /^(\s*(?:--[^\n]*\n\s*)*copy\s[^;]*?\bfrom\s+)stdin\b([^;]*);?\s*$/i.exec(sql);
  return match === null ? undefined : `${match[1]}'/dev/blob'${match[2]}`;
}

/** Text ends with a line `\.` in old clients: it is a mark and no data. */
export function toBlob(parts: readonly Buffer[]): Blob {
  const whole = Buffer.concat(parts);
  const mark = /(?:^|\n)\\\.\r?\n?$/.exec(whole.toString('latin1', Math.max(0, whole.length - 8)));
  const length = mark === null ? whole.length : whole.length - mark[0].replace(/^\n/, '').length;
  return new Blob([new Uint8Array(whole.subarray(0, length))]);
}
