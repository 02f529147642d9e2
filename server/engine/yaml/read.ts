/**
 * Parses a text to nodes. The grammar is that of the `yaml` package, whose documents and messages are not used outside this room.
 * Nodes that it recovers from an invalid text are kept, and `findings` contains the problems.
 */
import type { Document, ParsedNode } from 'yaml';
import type { Finding } from '../diagnostics/diagnostics.ts';
import { lineAfter } from '../text/lines.ts';
import { span } from '../text/span.ts';
import { type Composition, compose, mostLevels } from './compose.ts';
import { nodeOf } from './convert.ts';
import { findDuplicateKeys } from './duplicates.ts';
import type { YamlNode } from './nodes.ts';
import { explainErrors, type Openings } from './problems.ts';
import { skipSpace, trimEnd } from './space.ts';
import { walk } from './walk.ts';

export interface Reading {
  readonly text: string;
  /** Absent if the text has no content. */
  readonly root?: YamlNode;
  readonly findings: readonly Finding[];
}

export function readYaml(text: string): Reading {
  if (isEmpty(text)) return { text, findings: [] };
  const { documents, stopped } = compose(text);
  const [document, second] = documents;
  const contents = document?.contents;
  const root = contents ? nodeOf(text, contents as ParsedNode) : undefined;
  const reading = { text, ...(root && { root }) };
  if (stopped !== undefined) return { ...reading, findings: [givenUp(stopped)] };
  const errors = document?.errors ?? [];
  const findings = [
    ...(errors.length > 0 ? explainErrors(text, errors, openingsOf(root)) : []),
    ...(root ? findDuplicateKeys(text, root) : []),
    ...(second ? [multipleDocuments(text, second)] : []),
  ];
  return { ...reading, findings };
}

/** Whether a text contains only empty lines and comments. */
function isEmpty(text: string): boolean {
  let at = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  while (text[at] === '#') at = skipSpace(text, lineAfter(text, at));
  return at >= text.length;
}

function openingsOf(root: YamlNode | undefined): Openings {
  const openings = new Map<number, number>();
  if (root !== undefined)
    walk(root, (node) => {
      if (opens(node)) openings.set(node.span.end, node.span.start);
    });
  return openings;
}

function opens(node: YamlNode): boolean {
  if (node.kind === 'scalar') return node.style === 'single' || node.style === 'double';
  return node.kind !== 'alias' && node.flow;
}

function givenUp({ code, at }: NonNullable<Composition['stopped']>): Finding {
  const place = span(Math.max(at - 1, 0), at);
  return { code, span: place, args: code === 'yaml-too-deep' ? { limit: mostLevels } : {} };
}

function multipleDocuments(text: string, second: Document.Parsed): Finding {
  const [start, end] = second.range;
  return { code: 'yaml-multiple-documents', span: span(start, trimEnd(text, start, end)), args: {} };
}
