/** Shows a sentence of the service, whose parts in backticks are code. */
export function Sentence({ text }: { readonly text: string }) {
  return <>{sentenceParts(text).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

/** Returns text and code in turns. A sentence with a single backtick has no code. */
export function sentenceParts(text: string): readonly string[] {
  const parts = text.split('`');
  return parts.length % 2 === 1 ? parts : [text];
}
