/**
 * Text to nodes. The grammar is that of the `yaml` package; its documents and messages end here.
 * Whatever it recovers from a broken text is kept: `findings` says what is wrong with it.
 */
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
  type Scalar,
  Schema,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Finding } from '../diagnostics.ts';
import { type Span, span } from '../span.ts';
import { findDuplicateKeys } from './duplicates.ts';
import type { ScalarStyle, YamlMap, YamlNode, YamlPair, YamlScalar, YamlSequence } from './nodes.ts';
import { explainErrors } from './problems.ts';
import { readQuickly } from './quick.ts';
import { trimEnd } from './space.ts';
import { walk } from './walk.ts';

export interface Reading {
  readonly text: string;
  /** Absent for a text without content. */
  readonly root?: YamlNode;
  readonly findings: readonly Finding[];
}

/** No config needs more than 8. The composer of `yaml` is recursive, and so are our walks over nodes. */
const deepest = 100;

const schema = new Schema({ schema: 'core', resolveKnownTags: false });

export function readYaml(text: string): Reading {
  const root = readQuickly(text);
  return root === undefined ? readWithGrammar(text) : { text, root, findings: [] };
}

/** By all rules of YAML. */
export function readWithGrammar(text: string): Reading {
  const { documents, tooDeepAt } = compose(text);
  const [document, second] = documents;
  if (document === undefined) return { text, findings: [] };
  const root = document.contents === null ? undefined : nodeOf(text, document.contents as ParsedNode);
  const findings = document.errors.length > 0 ? explainErrors(text, document.errors, openingsOf(root)) : [];
  if (tooDeepAt !== undefined) return { text, ...(root && { root }), findings: [tooDeep(tooDeepAt)] };
  if (root !== undefined) findings.push(...findDuplicateKeys(text, root));
  if (second !== undefined) findings.push(multipleDocuments(text, second));
  return { text, ...(root && { root }), findings };
}

function openingsOf(root: YamlNode | undefined): Map<number, number> {
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

interface Composed {
  readonly documents: readonly Document.Parsed[];
  readonly tooDeepAt?: number;
}

function compose(text: string): Composed {
  const parser = new Parser();
  let tooDeepAt: number | undefined;
  function* tokens() {
    for (const lexeme of new Lexer().lex(text)) {
      if (parser.stack.length > deepest) {
        tooDeepAt = parser.offset;
        break;
      }
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }
  const composer = new Composer({ uniqueKeys: false, intAsBigInt: true, schema });
  const documents = [...composer.compose(tokens())];
  return { documents, ...(tooDeepAt !== undefined && { tooDeepAt }) };
}

function tooDeep(at: number): Finding {
  return { code: 'yaml-too-deep', span: span(at - 1, at), args: { limit: deepest } };
}

function multipleDocuments(text: string, second: Document.Parsed): Finding {
  const [start, end] = second.range;
  return { code: 'yaml-multiple-documents', span: span(start, trimEnd(text, start, end)), args: {} };
}

function nodeOf(text: string, node: ParsedNode): YamlNode {
  if (isAlias(node)) return { kind: 'alias', name: node.source, span: span(node.range[0], node.range[1]) };
  const properties = {
    ...(node.anchor !== undefined && { anchor: node.anchor }),
    ...(node.tag !== undefined && { tag: node.tag.replace(/^tag:yaml\.org,2002:/, '!!') }),
  };
  if (isScalar(node)) return { ...scalarOf(text, node), ...properties };
  return { ...(isMap(node) ? mapOf(text, node) : sequenceOf(text, node)), ...properties };
}

const styles: Record<string, ScalarStyle> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function scalarOf(text: string, node: Scalar.Parsed): YamlScalar {
  const [start, end] = node.range;
  const { value, source } = node;
  return {
    kind: 'scalar',
    style: styles[node.type ?? ''] ?? 'plain',
    value: typeof value === 'bigint' ? smallest(value) : (value as YamlScalar['value']),
    text: typeof value === 'string' ? value : source,
    span: start === end ? nothingAt(trimEnd(text, 0, start)).span : span(start, trimEnd(text, start, end)),
  };
}

function smallest(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function mapOf(text: string, node: YAMLMap.Parsed): YamlMap {
  const pairs = node.items.map((pair) => pairOf(text, pair.key, pair.value));
  return { kind: 'map', flow: node.flow === true, pairs, span: spanOf(text, node, pairs.at(-1)?.value) };
}

function pairOf(text: string, keyNode: ParsedNode, value: ParsedNode | null): YamlPair {
  const key = nodeOf(text, keyNode);
  return { key, value: value === null ? nothingAt(key.span.end) : nodeOf(text, value) };
}

function nothingAt(at: number): YamlScalar {
  return { kind: 'scalar', style: 'plain', value: null, text: '', span: span(at, at) };
}

function sequenceOf(text: string, node: YAMLSeq.Parsed): YamlSequence {
  const items = node.items.map((item) => nodeOf(text, item));
  return { kind: 'sequence', flow: node.flow === true, items, span: spanOf(text, node, items.at(-1)) };
}

/** A block collection ends with its last node: `yaml` would count the comments behind it, too. */
function spanOf(text: string, { flow, range }: YAMLMap.Parsed | YAMLSeq.Parsed, last?: YamlNode): Span {
  const [start, end] = range;
  if (flow === true || last === undefined) return span(start, trimEnd(text, start, end));
  return span(start, Math.max(start, last.span.end));
}
