/** The smallest text found for which `fails` still holds, by leaving out lines, then words and signs, then characters. */
export function shrink(text: string, fails: (text: string) => boolean): string {
  let smallest = text;
  for (const split of [byLine, byToken, byToken]) smallest = shrinkParts(smallest, split, fails);
  return smallest;
}

const byLine = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const byToken = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]/g) ?? [];

/** Leaves out ever shorter runs of parts, as long as that keeps the failure. */
function shrinkParts(
  text: string,
  split: (text: string) => string[],
  fails: (text: string) => boolean,
): string {
  let parts = split(text);
  for (let run = Math.ceil(parts.length / 2); run >= 1; run = Math.floor(run / 2)) {
    for (let at = 0; at < parts.length; ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + run)];
      if (fails(fewer.join(''))) parts = fewer;
      else at += run;
    }
  }
  return parts.join('');
}
