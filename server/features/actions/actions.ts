/** The actions at a place: first repairs of the findings there, then refactorings. */
import { type Code, type Finding, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import type { Span } from '../../engine/text/span.ts';
import type { SeverityChoice } from '../diagnostics.ts';
import { innerTextOf } from '../reading/innerEdits.ts';
import type { Action, ActionKind } from './action.ts';
import type { Fix } from './fix.ts';
import { ignoreFix } from './ignore.ts';
import { fixAll, fixesOf } from './quickFixes.ts';
import { fileRefactorings, refactorings } from './refactorings/index.ts';
import { migrateFile } from './refactorings/migrateFile.ts';
import type { FilesBeside } from './refactorings/syncFile.ts';

interface ActionWish {
  readonly selection: Span;
  /** Whether the caller wants actions of this kind. */
  readonly wants: (kind: ActionKind) => boolean;
  /** The source of the request. An editor asks at every move of the cursor, so it gets only repairs. */
  readonly askedBy: 'user' | 'editor';
  readonly files: FilesBeside;
  /** The severities of findings. A finding that is not shown is not repaired either. */
  readonly showing?: SeverityChoice;
}

export function actions(analysis: Analysis, wish: ActionWish): readonly Action[] {
  if (analysis.kind === 'foreign') return [];
  return [...actionsHere(analysis, wish), ...actionsInside(analysis, wish)];
}

/** Returns the actions in the sync config that a service config contains. */
function actionsInside(analysis: Analysis, wish: ActionWish): readonly Action[] {
  const inner = innerTextOf(analysis);
  const { selection } = wish;
  if (!inner || selection.start < inner.span.start || inner.span.end < selection.end) return [];
  const found = actionsHere(inner.analysis, { ...wish, selection: inner.toInner(selection) });
  return found.flatMap(({ repairs, ...action }): Action[] => {
    const edits = inner.edits(action.edits);
    if (!edits) return [];
    return [
      { ...action, edits, ...(repairs && { repairs: { ...repairs, span: inner.toFile(repairs.span) } }) },
    ];
  });
}

function actionsHere(analysis: Analysis, wish: ActionWish): readonly Action[] {
  const { wants } = wish;
  return [
    ...(wants('quickfix') ? quickFixes(analysis, wish) : []),
    ...(wants('source.fixAll.headwater') ? everythingSure(analysis, wish) : []),
    ...refactoringsAt(analysis, wish),
  ];
}

/** The maximum number of findings to fix, because each fix is tried and a selection may contain an entire file. */
const most = 20;

/** Returns the quick fixes, with those for the most severe findings first. */
function quickFixes(analysis: Analysis, wish: ActionWish): readonly Action[] {
  const { selection, askedBy } = wish;
  const here = analysis.findings.filter(
    ({ span, code }) => span.start <= selection.end && selection.start <= span.end && isShown(code, wish),
  );
  const ranked = here.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
  const fixes = ranked.flatMap((finding) => fixesOf(analysis, finding).map((fix) => toAction(finding, fix)));
  const codes = new Set(fixes.map(({ repairs }) => repairs.code));
  return [
    ...fixes,
    ...(askedBy === 'user' ? [...codes].flatMap((code) => allOfAKind(analysis, code)) : []),
    ...ranked.flatMap((finding) => ignoreFix(analysis, finding).map((fix) => toAction(finding, fix))),
  ];
}

function isShown(code: Code, { showing = severityOf }: ActionWish): boolean {
  return showing(code) !== 'off';
}

function rank({ code }: Finding): number {
  return ['error', 'warning', 'hint'].indexOf(severityOf(code));
}

function toAction(finding: Finding, { title, edits, isSure }: Fix) {
  const { code, span } = finding;
  return {
    title,
    kind: 'quickfix' as const,
    edits,
    repairs: { code, span },
    ...(isSure && { isPreferred: true as const }),
  };
}

function allOfAKind(analysis: Analysis, code: Code): readonly Action[] {
  const count = analysis.findings.filter((finding) => finding.code === code).length;
  if (count < 2) return [];
  const edits = fixAll(analysis, (one) => one === code);
  return edits.length > 1 ? [{ title: `Fix all ${code} problems`, kind: 'quickfix', edits }] : [];
}

function everythingSure(analysis: Analysis, wish: ActionWish): readonly Action[] {
  const edits = fixAll(analysis, (code) => isShown(code, wish));
  return edits.length > 0
    ? [{ title: 'Fix all problems with an unambiguous fix', kind: 'source.fixAll.headwater', edits }]
    : [];
}

function refactoringsAt(analysis: Analysis, wish: ActionWish): readonly Action[] {
  const { selection, wants, files, askedBy } = wish;
  const kinds = ['refactor.extract', 'refactor.inline', 'refactor.rewrite'] as const;
  if (askedBy === 'editor' || !kinds.some(wants)) return [];
  const place = { analysis, selection };
  return [
    ...refactorings.flatMap((refactoring) => refactoring(place)),
    ...fileRefactorings.flatMap((refactoring) => refactoring(place, files)),
    ...migrateFile(place),
  ].filter(({ kind }) => wants(kind));
}
