/** The ranges that an editor can fold: keys with their values, list items including SQL, comments, and regions. */
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/text/span.ts';
import { innerConfigOf } from './reading/inner.ts';
import { sqlTextsOf } from './reading/sqlTexts.ts';
import { type TreeNode, treeOf } from './reading/tree.ts';

interface Fold extends Span {
  /** The kind of a range. Editors can fold all ranges of a kind at once. */
  readonly kind?: 'comment' | 'region';
}

/** Returns the ranges in reading order. Each spans more than one line, and no two start at the same place. */
export function folding(analysis: Analysis): readonly Fold[] {
  const folds = new Map<number, Fold>();
  const collect = (node: TreeNode): void => {
    const { span } = node;
    const isLong = /[\r\n]/.test(analysis.text.slice(span.start, span.end));
    if (!isLong) return;
    if (!folds.has(span.start)) folds.set(span.start, span);
    node.inner.forEach(collect);
  };
  treeOf(analysis).forEach(collect);
  const inner = innerConfigOf(analysis);
  const inside = inner ? folding(inner.analysis).map((fold) => ({ ...fold, ...inner.toFile(fold) })) : [];
  return [...folds.values(), ...commentFolds(analysis), ...inside].sort((a, b) => a.start - b.start);
}

interface CommentLine extends Span {
  readonly text: string;
}

/** Returns the folds of multi-line comments, and of the lines from `# region` to `# endregion`. */
function commentFolds(analysis: Analysis): readonly Fold[] {
  const runs: CommentLine[][] = [];
  const open: CommentLine[] = [];
  const regions: Fold[] = [];
  for (const line of commentLines(analysis)) {
    if (/^#\s*region\b/.test(line.text)) open.push(line);
    else if (/^#\s*endregion\b/.test(line.text)) {
      const start = open.pop();
      if (start) regions.push({ start: start.start, end: line.end, kind: 'region' });
    } else {
      const run = runs.at(-1);
      const isNext = run && /^\r?\n[ \t]*$/.test(analysis.text.slice(run.at(-1)?.end, line.start));
      if (isNext) run.push(line);
      else runs.push([line]);
    }
  }
  const comments = runs.flatMap(([first, ...more]): Fold[] => {
    const last = more.at(-1);
    return first && last ? [{ start: first.start, end: last.end, kind: 'comment' }] : [];
  });
  return [...comments, ...regions];
}

/** Returns the lines that contain only a comment. A `#` inside a block of SQL does not start a comment. */
function commentLines(analysis: Analysis): readonly CommentLine[] {
  const texts = sqlTextsOf(analysis);
  let at = 0;
  return [...analysis.text.matchAll(/^[ \t]*(#[^\r\n]*)/gm)].flatMap(({ index, 0: line, 1: text = '' }) => {
    const start = index + line.length - text.length;
    while ((texts[at]?.span.end ?? Number.POSITIVE_INFINITY) < start) at += 1;
    return (texts[at]?.span.start ?? Number.POSITIVE_INFINITY) < start
      ? []
      : [{ start, end: index + line.length, text }];
  });
}
