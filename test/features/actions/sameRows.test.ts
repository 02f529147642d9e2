/**
 * Refactorings at every place in the recorded examples that offers one: the same recorded rows reach the recorded requests,
 * and no user gains or loses a row in any small database.
 */
import { expect, test } from 'vitest';
import { type Analysis, analyze, compareAccess, finish } from '../../../server/engine/index.ts';
import { tokenize } from '../../../server/engine/sql/lexer.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { span } from '../../../server/engine/text/span.ts';
import type { Action } from '../../../server/features/actions/action.ts';
import { actions } from '../../../server/features/actions/actions.ts';
import { inFile, writableTexts } from '../../../server/features/reading/queries.ts';
import { reachedRows, readRecorded } from '../../support/engine/evaluation.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { plansOf } from '../../support/engine/plans.ts';

const examples = readExamples().filter(({ name, outcome }) => outcome === 'valid' && /^[ab]/.test(name));
const files = { exists: () => false, text: () => undefined };

/** How often each kind of refactoring was offered, and thus tested. */
const seen = new Map<string, number>();

test.each(examples)('$name: refactorings keep the rows', ({ name, text, defaultSchema }) => {
  const recorded = readRecorded(name);
  const rowsOf = (config: string) => {
    const { plans, options } = plansOf(config, defaultSchema);
    return reachedRows(recorded, plans, options);
  };
  const before = rowsOf(text);
  for (const { title, edits } of refactoringsIn(text, defaultSchema)) {
    const after = applyEdits(text, edits);
    expect(rowsOf(after), `${title}\n${after}`).toEqual(before);
    expect(accessChanges(text, after, defaultSchema), `${title}\n${after}`).toEqual([]);
    const sort = title.replace(/ (?:CTE )?\w+$/, '');
    seen.set(sort, (seen.get(sort) ?? 0) + 1);
  }
});

test('Each kind of refactoring was tested', () => {
  expect([...seen.keys()].sort()).toEqual([
    'Extract to the',
    'Inline the',
    'Write a list of',
    'Write the join as a',
    'Write the subquery as a',
  ]);
});

/**
 * The limit of a search is a number of looks at the clock instead of a time. 64 databases are tried between two looks, for
 * each stream that differs.
 */
const mostLooks = 4;

function accessChanges(before: string, after: string, defaultSchema: string): readonly string[] {
  const [old, now] = [before, after].map((each) => analyze(each, { kind: 'sync', defaultSchema }).config);
  if (old === undefined || now === undefined) throw new Error('There is no config.');
  let looks = 0;
  const { changes } = finish(
    compareAccess(old, now, undefined, () => {
      looks = 0;
      return { isTimeUp: () => looks++ > mostLooks };
    }),
  );
  return changes.map(({ kind, stream, table }) => `${kind} ${stream} ${table}`);
}

/** Returns each different refactoring that is offered anywhere in the text. */
function refactoringsIn(text: string, defaultSchema: string): readonly Action[] {
  const analysis = analyze(text, { kind: 'sync', defaultSchema });
  const found = new Map<string, Action>();
  const ctes = ctesOf(analysis);
  for (const sql of writableTexts(analysis))
    for (const { kind, text: word, start, end } of tokenize(sql.scalar.text).tokens) {
      if (kind !== 'word' || !(/^(?:select|join|from)$/.test(word) || ctes.has(word))) continue;
      const at = inFile(sql, span(start, end)).start;
      const wants = (kind: string) => kind.startsWith('refactor');
      for (const action of actions(analysis, { selection: span(at, at), wants, files, askedBy: 'user' }))
        found.set(JSON.stringify(action.edits), action);
    }
  return [...found.values()];
}

function ctesOf({ config }: Analysis): ReadonlySet<string> {
  const own = (config?.definitions ?? []).flatMap(({ definition }) =>
    definition.kind === 'stream' ? definition.ctes : [],
  );
  const all = [...(config?.ctes ?? []).map(({ cte }) => cte), ...own];
  return new Set(all.map(({ name }) => name.toLowerCase()));
}
