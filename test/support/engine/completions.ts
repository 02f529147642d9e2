/** Completion at the cursor of a drawing: the proposals, and the text after a proposal is accepted. */
import { type Analysis, analyze } from '../../../server/engine/index.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { completions } from '../../../server/features/completion/completion.ts';
import { type Completion, plainText } from '../../../server/features/completion/item.ts';
import type { CompletionWorld } from '../../../server/features/completion/world.ts';
import { openDrawn } from './drawn.ts';
import { readFixture } from './fixture.ts';

const emptyWorld: CompletionWorld = { environmentNames: () => [], others: () => [] };

export function completionsAt(drawing: string, world: Partial<CompletionWorld> = {}): readonly Completion[] {
  const { analysis, offset } = openDrawn(drawing);
  const others = readFixture(drawing)
    .files.slice(1)
    .map((file): Analysis => analyze(file.text));
  const found = completions(analysis, offset, { ...emptyWorld, others: () => others, ...world });
  return found.toSorted((a, b) => a.rank - b.rank);
}

/** Returns the labels in the order in which an editor shows them. */
export function labelsAt(drawing: string, world: Partial<CompletionWorld> = {}): readonly string[] {
  return completionsAt(drawing, world).map(({ label }) => label);
}

export function offerOf(drawing: string, label: string, world: Partial<CompletionWorld> = {}): Completion {
  const offer = completionsAt(drawing, world).find((one) => one.label === label);
  if (offer === undefined) throw new Error(`Not offered: ${label}`);
  return offer;
}

/** Accepts the proposal with this label. Returns the line of the cursor, and the lines that were inserted below it. */
export function taken(drawing: string, label: string, world: Partial<CompletionWorld> = {}): string {
  const { span, insert } = offerOf(drawing, label, world);
  const { text } = openDrawn(drawing);
  const after = applyEdits(text, [{ span, text: plainText(insert) }]);
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const rest = text.slice(span.end).split('\n')[0] ?? '';
  return after.slice(start, span.start + plainText(insert).length) + rest;
}

/** Sorts a list as VS Code does: labels that begin with the typed letters first, then by rank and place. */
export function inEditor(
  offered: readonly Completion[],
  text: string,
  offset: number,
): readonly Completion[] {
  return offered
    .map((item, index) => ({ item, index, fit: fitOf(item, text.slice(item.span.start, offset)) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit || a.item.rank - b.item.rank || a.index - b.index)
    .map(({ item }) => item);
}

function fitOf({ filter, label }: Completion, typed: string): number {
  const word = filter ?? label;
  if (word.startsWith(typed)) return 4;
  const [low, wanted] = [word.toLowerCase(), typed.toLowerCase()];
  if (low.startsWith(wanted)) return 3;
  if (low.split(/[^a-z0-9]+/).some((part) => part.startsWith(wanted))) return 2;
  let at = -1;
  for (const letter of wanted) {
    at = low.indexOf(letter, at + 1);
    if (at < 0) return 0;
  }
  return 1;
}

/** Returns the first labels of the editor's list, without labels that do not match the typed letters. */
export function firstAt(drawing: string, count: number): readonly string[] {
  const { text, offset } = openDrawn(drawing);
  const shown = inEditor(completionsAt(drawing), text, offset);
  return shown.slice(0, count).map(({ label }) => label);
}
