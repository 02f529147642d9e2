/** Converts edits of the sync config inside a service config to edits of the file. */
import type { Analysis } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { type Span, span } from '../../engine/text/span.ts';
import { nodesAt } from '../../engine/yaml/find.ts';
import { readYaml } from '../../engine/yaml/read.ts';
import { editScalar } from '../../engine/yaml/scalarEdits.ts';
import { offsetInValue } from '../../engine/yaml/sourceMap.ts';
import { innerConfigOf } from './inner.ts';

export interface InnerText {
  readonly analysis: Analysis;
  /** The span of the block in the file. */
  readonly span: Span;
  readonly toInner: (inFile: Span) => Span;
  readonly toFile: (inInner: Span) => Span;
  /** Returns undefined if the block cannot contain the result. */
  readonly edits: (inInner: readonly Edit[]) => readonly Edit[] | undefined;
}

export function innerTextOf(analysis: Analysis): InnerText | undefined {
  const inner = innerConfigOf(analysis);
  if (!inner) return undefined;
  const reading = readYaml(analysis.text);
  const begin = inner.toFile(span(0, 0)).start;
  const block = nodesAt(reading.root, begin).findLast(
    ({ node }) => node.kind === 'scalar' && node.text === inner.analysis.text,
  )?.node;
  if (block?.kind !== 'scalar') return undefined;
  const offset = (at: number) => offsetInValue(analysis.text, block, at);
  return {
    analysis: inner.analysis,
    span: block.span,
    toInner: ({ start, end }) => span(offset(start), offset(end)),
    toFile: inner.toFile,
    edits: (inInner) => editScalar(reading, block, inInner),
  };
}
