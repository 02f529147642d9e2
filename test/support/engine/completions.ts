/** Completion at the cursor of a drawing: what is offered, and the text with one of the offers taken. */
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

/** In the order in which an editor shows them. */
export function labelsAt(drawing: string, world: Partial<CompletionWorld> = {}): readonly string[] {
  return completionsAt(drawing, world).map(({ label }) => label);
}

export function offerOf(drawing: string, label: string, world: Partial<CompletionWorld> = {}): Completion {
  const offer = completionsAt(drawing, world).find((one) => one.label === label);
  if (offer === undefined) throw new Error(`Not offered: ${label}`);
  return offer;
}

/** The line that the cursor was in, and what was inserted below it, with the offer of that label taken. */
export function taken(drawing: string, label: string, world: Partial<CompletionWorld> = {}): string {
  const { span, insert } = offerOf(drawing, label, world);
  const { text } = openDrawn(drawing);
  const after = applyEdits(text, [{ span, text: plainText(insert) }]);
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const rest = text.slice(span.end).split('\n')[0] ?? '';
  return after.slice(start, span.start + plainText(insert).length) + rest;
}
