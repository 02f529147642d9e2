/** Fixes of ignore comments that have no effect. */
import { columnOf } from '../../../engine/text/lines.ts';
import { type Span, span } from '../../../engine/text/span.ts';
import type { Fix, Fixes } from '../fix.ts';

export const ignoreFixes: Fixes = {
  'unused-ignore': ({ analysis, finding }) => useless(analysis.text, finding.span, finding.args.near),
};

/** Removes the code, or the entire comment if the code is the only one. */
function useless(text: string, at: Span, near: string | undefined): readonly Fix[] {
  const line = at.start - columnOf(text, at.start);
  const before = text.slice(line, at.start);
  const start = line + before.search(/[ \t]*(?:#|--)[ \t]*headwater-ignore[ \t]*$/);
  const isOnly = start >= line && !/^[ \t]*,/.test(text.slice(at.end));
  const replace: readonly Fix[] =
    near === undefined ? [] : [{ title: `Write ${near}`, edits: [{ span: at, text: near }], isSure: true }];
  return [
    ...replace,
    { title: 'Remove the comment', edits: [{ span: isOnly ? comment() : spanInList(), text: '' }] },
  ];

  function comment() {
    const end = text.indexOf('\n', at.end);
    const isAlone = text.slice(line, start).trim() === '';
    if (!isAlone) return span(start, end < 0 ? text.length : end - (text[end - 1] === '\r' ? 1 : 0));
    return span(line, end < 0 ? text.length : end + 1);
  }

  function spanInList() {
    const behind = /^[ \t]*,[ \t]*/.exec(text.slice(at.end))?.[0].length ?? 0;
    if (behind > 0) return span(at.start, at.end + behind);
    return span(line + before.replace(/[ \t]*,[ \t]*$/, '').length, at.end);
  }
}
