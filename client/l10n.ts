/**
 * Translates sentences for code that does not know VS Code. Sentences stay in English unless a translation is set: the
 * extension sets `vscode.l10n.t`, and the command line sets none.
 */
type Translate = (sentence: string, ...values: readonly (string | number)[]) => string;

let translate: Translate = fill;

/** @param sentence a literal with `{0}`, `{1}` … in place of values; `npm run rules` collects all of these literals */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  return translate(sentence, ...values);
}

export function translateWith(other: Translate): void {
  translate = other;
}

/**
 * Translates a message of the language server sentence by sentence. The message contains its values, so their places are found
 * first. A sentence without a translation stays unchanged.
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
  /** The text between this sentence and the next one. */
  readonly gap: string;
}

/** Matches names in backticks, names such as `auth.user_id()` and `bucket.id` without backticks, numbers, and opening braces. */
const value = /`([^`]*)`|[A-Za-z_]\w*(?:\.\w+)+(?:\([^()]*\))?|[A-Za-z_]\w*\(\)|\b\d+\b|\{/g;

export function sentencesIn(message: string): readonly Sentence[] {
  const values: string[] = [];
  // Mask the values, because they may contain full stops and other characters that end a sentence.
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
