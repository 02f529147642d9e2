/** Finds the sync config inside a service config, which is the block of text in `content`. */
import { type Analysis, analyze } from '../../engine/index.ts';
import { columnOf } from '../../engine/text/lines.ts';
import { type Span, span } from '../../engine/text/span.ts';
import type { YamlNode, YamlScalar } from '../../engine/yaml/nodes.ts';
import { offsetInValue, sourceMap } from '../../engine/yaml/sourceMap.ts';

interface InnerConfig {
  readonly analysis: Analysis;
  /** The offset in the inner text. */
  readonly offset: number;
  /** Converts a span of the inner text to one of the file. */
  readonly toFile: (inner: Span) => Span;
}

const pointers = ['/sync_config/content', '/sync_rules/content'];

/** Returns the entire inner config, independently of a place. */
export function innerConfigOf(outer: Analysis): Omit<InnerConfig, 'offset'> | undefined {
  const { text, service } = outer;
  if (!service) return undefined;
  const block = pointers.map((pointer) => service.places.get(pointer)?.node).find(isBlock);
  return block && { analysis: analyzeInner(outer, block.text), toFile: sourceMap(text, block) };
}

/** Returns undefined if the place is not in such a block. A config in quotes is not supported, because it would need escapes. */
export function innerConfigAt(outer: Analysis, offset: number): InnerConfig | undefined {
  const { text, service } = outer;
  if (!service) return undefined;
  for (const pointer of pointers) {
    const node = service.places.get(pointer)?.node;
    if (isBlock(node) && isInside(text, node, offset)) return openInner(outer, node, offset);
  }
  return undefined;
}

type Block = YamlScalar & { readonly style: 'literal' };

function isBlock(node: YamlNode | undefined): node is Block {
  return node?.kind === 'scalar' && node.style === 'literal';
}

/** Whether an offset is inside the block: below its header, indented at least as far, and not after other text. */
function isInside(text: string, block: Block, offset: number): boolean {
  const header = text.indexOf('\n', block.span.start);
  if (header < 0 || offset <= header) return false;
  const isBehind = offset > block.span.end && /\S/.test(text.slice(block.span.end, offset));
  return !isBehind && columnOf(text, offset) >= indentOf(text, block);
}

function indentOf(text: string, block: Block): number {
  const first = Math.max(block.text.search(/\S/), 0);
  const inSource = sourceMap(text, block)(span(first, first + 1)).start;
  return columnOf(text, inSource) - columnOf(block.text, first);
}

function openInner(outer: Analysis, block: Block, offset: number): InnerConfig {
  const { text } = outer;
  if (offset <= block.span.end) {
    const at = offsetInValue(text, block, offset);
    return { analysis: analyzeInner(outer, block.text), offset: at, toFile: sourceMap(text, block) };
  }
  const blanks = ' '.repeat(columnOf(text, offset) - indentOf(text, block));
  const padded = `${block.text.trimEnd()}\n${blanks}`;
  const toFile = () => span(offset, offset);
  return { analysis: analyzeInner(outer, padded), offset: padded.length, toFile };
}

const latest = new WeakMap<Analysis, Analysis>();

function analyzeInner(outer: Analysis, text: string): Analysis {
  const known = latest.get(outer);
  if (known?.text === text) return known;
  const made = analyze(text, { kind: 'sync', ...outer.source });
  latest.set(outer, made);
  return made;
}
