/**
 * Translates sentences for code that does not know VS Code. They are English unless a translation is handed over: the extension
 * hands over `vscode.l10n.t`, and the command line does not.
 */
type Translate = (sentence: string, ...values: readonly (string | number)[]) => string;

let translate: Translate = fill;

/** @param sentence a literal, with `{0}`, `{1}` … where values go: `npm run rules` collects them */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  return translate(sentence, ...values);
}

export function translateWith(other: Translate): void {
  translate = other;
}

/**
 * Translates a message of the language server sentence by sentence. The message contains its values, so their places are found
 * first. A sentence without a translation stays as it is.
 */
export function translateMessage(message: string): string {
  return sentencesIn(message)
    .map(({ template, values, gap }) => `${translate(template, ...values)}${gap}`)
    .join('');
}

interface Sentence {
  /** The sentence with `{0}`, `{1}` … in place of names in backticks and of numbers. */
  readonly template: string;
  readonly values: readonly string[];
  /** Up to the next one. */
  readonly gap: string;
}

/** Names in backticks, `auth.user_id()` and `bucket.id` without them, numbers, and what looks like a place for a value. */
const value = /`([^`]*)`|[A-Za-z_]\w*(?:\.\w+)+(?:\([^()]*\))?|[A-Za-z_]\w*\(\)|\b\d+\b|\{/g;

export function sentencesIn(message: string): readonly Sentence[] {
  const values: string[] = [];
  // Values may have full stops in them, and whatever else ends a sentence.
  const masked = message.replaceAll(value, (found: string, quoted?: string) => {
    values.push(quoted ?? found);
    return quoted === undefined ? '\0' : '`\0`';
  });
  const parts = masked.split(/(?<=[.?!]`?)(\s+)/);
  let taken = 0;
  return parts.flatMap((part, index) => {
    if (index % 2 === 1 || part === '') return [];
    const first = taken;
    const template = part.replaceAll('\0', () => `{${taken++ - first}}`);
    return [{ template, values: values.slice(first, taken), gap: parts[index + 1] ?? '' }];
  });
}

function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}
