/**
 * Sentences in the language of the editor, where nothing is known of VS Code. They are English unless someone knows
 * better: the extension hands over `vscode.l10n.t`, the command line nothing.
 */
type Translate = (sentence: string, ...values: readonly (string | number)[]) => string;

let translate: Translate = fill;

/** @param sentence a literal, with `{0}`, `{1}` … where values go: `scripts/l10n.ts` collects them */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  return translate(sentence, ...values);
}

export function translateWith(other: Translate): void {
  translate = other;
}

function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}
