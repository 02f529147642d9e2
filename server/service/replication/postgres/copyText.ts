/** Reads lines of `COPY … TO STDOUT`: fields between tabs, with backslashes before special characters. */

export function readCopyLine(line: string): (string | null)[] {
  const fields: (string | null)[] = line.split('\t');
  if (!line.includes('\\')) return fields;
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] as string;
    if (field === '\\N') fields[at] = null;
    else if (field.includes('\\')) fields[at] = field.replace(escapePattern, characterOf);
  }
  return fields;
}

const escapePattern = /\\(.)/gs;

const characters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function characterOf(_: string, character: string): string {
  return characters[character] ?? character;
}
