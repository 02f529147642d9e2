/** Completion, hover and signature help at all places of all examples, of their prefixes, and of service configs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Analysis, analyze } from '../../../server/engine/index.ts';
import { completions } from '../../../server/features/completion/completion.ts';
import { plainText, snippetText } from '../../../server/features/completion/item.ts';
import { hover } from '../../../server/features/hover/hover.ts';
import { signature } from '../../../server/features/signature.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { strideOf } from '../../support/house/share.ts';

const examples = readExamples();
const folder = join(import.meta.dirname, '../../fixtures/service');
const services = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

const world = { environmentNames: () => ['PS_A'], others: () => [] };

function check(analysis: Analysis, offset: number): void {
  for (const item of completions(analysis, offset, world)) {
    const { start, end } = item.span;
    const replaced = analysis.text.slice(start, end);
    // The protocol requires a range on one line that contains the cursor.
    if (start > offset || end < offset || end > analysis.text.length || replaced.includes('\n'))
      throw new Error(
        `${item.label} replaces ${start}-${end} at ${offset} of ${JSON.stringify(analysis.text)}`,
      );
    if (`${plainText(item.insert)}${snippetText(item.insert)}${item.detail}`.includes('[object'))
      throw new Error(`${item.label} is not written out`);
  }
  const found = hover(analysis, offset);
  if (found) {
    const { start, end } = found.span;
    if (start > offset || end < offset) throw new Error(`The hover at ${offset} is about ${start}-${end}`);
    if (/`undefined`|undefined\.|NaN|\[object/.test(found.markdown)) throw new Error(found.markdown);
  }
  signature(analysis, offset);
}

const strides = { inside: strideOf(11), beginnings: strideOf(37), service: strideOf(13) };

test('work in whole examples', () => {
  for (const [index, { text, catalog }] of examples.entries()) {
    const analysis = analyze(text, { kind: 'sync', catalog });
    for (let offset = index % strides.inside; offset <= text.length; offset += strides.inside)
      check(analysis, offset);
  }
});

test('work at the end of prefixes of examples', () => {
  for (const [index, { text, catalog }] of examples.entries())
    for (let end = index % strides.beginnings; end < text.length; end += strides.beginnings)
      check(analyze(text.slice(0, end), { kind: 'sync', catalog }), end);
});

test('work in service configs and their prefixes', () => {
  expect(services.length).toBeGreaterThan(0);
  for (const text of services) {
    const analysis = analyze(text, { kind: 'service' });
    for (let offset = 0; offset <= text.length; offset += strides.service) {
      check(analysis, offset);
      check(analyze(text.slice(0, offset), { kind: 'service' }), offset);
    }
  }
});
