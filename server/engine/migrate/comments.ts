/** Collects the comments of a config, so that none is lost when its definitions are rewritten. */
import { append } from '../ground/append.ts';
import { atomsOf } from '../sql/layout/atoms.ts';
import type { YamlNode } from '../yaml/nodes.ts';
import type { Part } from '../yaml/parts.ts';
import { walk } from '../yaml/walk.ts';

/** A comment without its comment sign, and its span in the file. Comments in SQL are included. They are in reading order. */
export interface Comment {
  readonly at: number;
  readonly text: string;
}

export function commentsIn(text: string, parts: readonly Part[]): readonly Comment[] {
  const found: Comment[] = [];
  const masked: string[] = [];
  let done = 0;
  for (const { base, reading } of parts)
    if (reading.root)
      walk(reading.root, (node) => {
        if (node.kind !== 'scalar') return;
        const [start, end] = [node.span.start + base, node.span.end + base];
        masked.push(text.slice(done, start), 'x'.repeat(Math.max(end - start, 0)));
        done = end;
        append(found, commentsInSql(node, start));
      });
  masked.push(text.slice(done));
  for (const { index, 0: comment } of masked.join('').matchAll(/(?<=^|[ \t])#[^\r\n]*/gm))
    found.push({ at: index, text: withoutSign(comment.replace(/x+$/, ''), text, index) });
  return found.sort((a, b) => a.at - b.at);
}

/** Returns the text of a comment. The header of a block may have a comment after it, which is masked together with the block. */
function withoutSign(comment: string, text: string, at: number): string {
  return text
    .slice(at, at + comment.length)
    .replace(/^#+ ?/, '')
    .trimEnd();
}

function commentsInSql(node: YamlNode & { kind: 'scalar' }, start: number): Comment[] {
  if (!/--|\/\*/.test(node.text)) return [];
  return atomsOf(node.text).flatMap(({ kind, text, start: at }) => {
    if (kind === 'line comment') return [{ at: start + at, text: text.slice(2).trim() }];
    if (kind !== 'comment') return [];
    const lines = text.replace(/^\/\*+|\*+\/$/g, '').split('\n');
    return lines.flatMap((line) => (line.trim() === '' ? [] : [{ at: start + at, text: line.trim() }]));
  });
}
