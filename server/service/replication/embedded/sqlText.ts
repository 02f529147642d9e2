/** Reads files of SQL, in the encodings of editors and shells on all systems. */
import { readFile } from 'node:fs/promises';

/** Reads an SQL file without its byte order mark. The `>` of PowerShell writes UTF-16. */
export async function readSqlText(path: string): Promise<string> {
  const bytes = await readFile(path);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}
