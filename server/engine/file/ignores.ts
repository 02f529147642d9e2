/**
 * Comments that ignore findings: `# headwater-ignore missing-id, unused-cte`, or `-- headwater-ignore …` in SQL.
 * A comment at the end of a line applies to that line; a comment on its own line applies to the next line with content. In both
 * cases, it also applies to the more indented lines below. So a comment above a stream applies to the entire stream. Only warnings
 * and hints can be ignored, because a service would reject a config with an error anyway.
 */
import { checks } from '../checks/index.ts';
import { type Args, type Code, catalogue, type Finding, severityOf } from '../diagnostics/diagnostics.ts';
import { lineAfter, lineStart } from '../text/lines.ts';
import { nearest } from '../text/nearest.ts';
import { compareSpans, type Span, span } from '../text/span.ts';
import { isSpace } from '../yaml/space.ts';

const marker = 'headwater-ignore';

/** Codes that may be missing only because the tables of the source are unknown. */
const ofCatalog: ReadonlySet<string> = new Set<Code>([
  ...checks.flatMap(({ code, usesCatalog }) => (usesCatalog ? [code] : [])),
  'unknown-schema',
  'unknown-table',
  'unknown-column',
  'cte-shadows-table',
  'missing-id-column',
]);

/** Codes that require data from a service. */
const ofData: ReadonlySet<string> = new Set<Code>(['near-limit']);

/** The lines to which one or more comments apply. Two scopes are either disjoint, or the first one contains the second. */
interface Scope {
  readonly span: Span;
  /** The ignored codes with their spans. */
  readonly codes: Map<string, Span>;
  readonly used: Set<string>;
  /** Whether the scope contains an error, so that other findings may be missing. */
  broken: boolean;
}

/** Removes ignored findings and adds the problems of the comments. Both lists are in reading order. */
export function applyIgnores(
  text: string,
  findings: readonly Finding[],
  isCatalogKnown: boolean,
): readonly Finding[] {
  if (!text.includes(marker)) return findings;
  const scopes = findScopes(text);
  const kept = withoutIgnoredIn(findings, scopes);
  const useless = scopes.flatMap((scope) => findUseless(scope, isCatalogKnown));
  return [...kept, ...useless].sort((a, b) => compareSpans(a.span, b.span));
}

/** Removes ignored findings from those that were found after {@link applyIgnores}. The findings are in reading order. */
export function withoutIgnored(text: string, findings: readonly Finding[]): readonly Finding[] {
  return text.includes(marker) ? withoutIgnoredIn(findings, findScopes(text)) : findings;
}

function withoutIgnoredIn(findings: readonly Finding[], scopes: readonly Scope[]): Finding[] {
  const around: Scope[] = [];
  let next = 0;
  return findings.filter(({ code, span: { start } }) => {
    for (let scope = scopes[next]; scope !== undefined && scope.span.start <= start; scope = scopes[next]) {
      leave(around, scope.span.start);
      around.push(scope);
      next++;
    }
    leave(around, start);
    if (severityOf(code) === 'error') {
      for (const scope of around) scope.broken = true;
      return true;
    }
    const ignoring = around.filter(({ codes }) => codes.has(code));
    for (const { used } of ignoring) used.add(code);
    return ignoring.length === 0;
  });
}

function leave(around: Scope[], offset: number): void {
  while ((around.at(-1)?.span.end ?? Number.POSITIVE_INFINITY) <= offset) around.pop();
}

function findUseless({ codes, used, broken }: Scope, isCatalogKnown: boolean): Finding[] {
  return [...codes].flatMap(([code, at]): Finding[] => {
    const why = whyUseless(
      code,
      used.has(code),
      broken || ofData.has(code) || (!isCatalogKnown && ofCatalog.has(code)),
    );
    if (why === undefined) return [];
    const near = why === 'unknown' ? nearest(code, Object.keys(catalogue)) : undefined;
    return [{ code: 'unused-ignore', span: at, args: { code, why, near } }];
  });
}

function whyUseless(
  code: string,
  isUsed: boolean,
  mayBeMissing: boolean,
): Args<'unused-ignore'>['why'] | undefined {
  if (!isCode(code)) return 'unknown';
  if (severityOf(code) === 'error') return 'error';
  return isUsed || mayBeMissing ? undefined : 'unused';
}

function isCode(code: string): code is Code {
  return Object.hasOwn(catalogue, code);
}

function findScopes(text: string): Scope[] {
  const scopes = new Map<number, Scope>();
  let below = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, lineAfter(text, at))) {
    const sign = commentSign(text, at);
    if (sign === undefined) continue;
    const line = lineStart(text, sign);
    const alone = contentAt(text, line) === sign;
    if (alone && below <= line) below = nextContent(text, lineAfter(text, at));
    const target = alone ? below : line;
    const scope = scopes.get(target) ?? openScope(text, target);
    scopes.set(target, scope);
    for (const [code, where] of codesAt(text, at + marker.length)) scope.codes.set(code, where);
  }
  return [...scopes.values()].sort((a, b) => compareSpans(a.span, b.span));
}

/** Returns the start of the comment whose first word is at `at`. */
function commentSign(text: string, at: number): number | undefined {
  let end = at;
  while (isBlank(text[end - 1])) end--;
  const sign = text[end - 1] === '#' ? end - 1 : text.startsWith('--', end - 2) ? end - 2 : undefined;
  if (sign === undefined) return undefined;
  const before = text[sign - 1];
  return before === undefined || before === '\n' || isBlank(before) ? sign : undefined;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function openScope(text: string, target: number): Scope {
  return { span: span(target, deeperEnd(text, target)), codes: new Map(), used: new Set(), broken: false };
}

/** Returns the end of the lines below that are more indented, including empty lines and comments between them. */
function deeperEnd(text: string, line: number): number {
  const indent = contentAt(text, line) - line;
  let at = lineAfter(text, line);
  while (at < text.length && (isSilent(text, at) || contentAt(text, at) - at > indent))
    at = lineAfter(text, at);
  return at;
}

function nextContent(text: string, from: number): number {
  let line = from;
  while (line < text.length && isSilent(text, line)) line = lineAfter(text, line);
  return line;
}

/** Whether a line is empty or contains only a comment. */
function isSilent(text: string, line: number): boolean {
  const at = contentAt(text, line);
  return at >= text.length || isSpace(text.charCodeAt(at)) || text[at] === '#' || text.startsWith('--', at);
}

function contentAt(text: string, line: number): number {
  let at = line;
  while (isBlank(text[at])) at++;
  return at;
}

/** Returns the codes, which are separated by commas. Any text after them is a reason for human readers. */
function codesAt(text: string, from: number): [code: string, at: Span][] {
  const codes: [string, Span][] = [];
  const code = /[ \t]*([a-z][a-z0-9-]*)[ \t]*(,?)/y;
  code.lastIndex = from;
  for (let match = code.exec(text); match !== null; match = match[2] === ',' ? code.exec(text) : null) {
    const name = match[1] ?? '';
    const start = match.index + match[0].indexOf(name);
    codes.push([name, span(start, start + name.length)]);
  }
  return codes;
}
