/** Reads the text of a `.env` file. Every part of Headwater reads such texts here, so a variable has one value everywhere. */
import * as util from 'node:util';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns no variables in editors whose Node is older than 20.12, because older versions cannot parse such texts. */
export function readVariables(text: string): Variables {
  if (typeof util.parseEnv !== 'function') return {};
  const found = util.parseEnv(text.replace(byteOrderMark, '').replaceAll(blankValue, '$1'));
  const exported = Object.entries(found).flatMap(([name, value]) => {
    const [, inside] = exportedName.exec(name) ?? [];
    return inside === undefined ? [] : [[inside, value]];
  });
  return { ...Object.fromEntries(exported), ...found };
}

/** Node treats a byte order mark as part of the first name. */
const byteOrderMark = /^\uFEFF/;

/** Node (seen in 22.16 and 24.21) skips the blanks and the line end, and reads the next line as the value. */
const blankValue = /^([^=\r\n]*=)[ \t]+$/gm;

/** Node leaves `export` in the name if the value is empty, and if a tab follows it. */
const exportedName = /^export[ \t]+(.*)$/;
