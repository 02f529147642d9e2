/** Reports scripts that differ from those that created the database, and rows that they could not create. */
import type { ScriptReport, SourceProblem } from '../../source.ts';
import { lostRowsIn } from '../seeds/refused.ts';

export function scriptProblems({
  changed,
  removed,
  problems,
  skipped,
}: ScriptReport): readonly SourceProblem[] {
  return [
    ...(changed.length > 0 ? [toProblem(changed, 'changed')] : []),
    ...(removed.length > 0 ? [toProblem(removed, 'removed')] : []),
    ...problems.map((problem) => ({
      ...about,
      message: `A part of the schema cannot be loaded: ${problem}`,
    })),
    ...lostRowsIn(skipped.filter(({ script }) => !removed.includes(script))).map(
      (message): SourceProblem => ({ level: 'warning', code: 'SVC_S1153', message }),
    ),
  ];
}

const about = { level: 'warning', code: 'SVC_S1151', kind: 'scripts' } as const;

/** The maximum number of names in a sentence. */
const mostNames = 5;

function toProblem(names: readonly string[], what: 'changed' | 'removed'): SourceProblem {
  const more = names.length > mostNames ? [`${names.length - mostNames} more`] : [];
  const list = [...names.slice(0, mostNames), ...more].join(', ');
  const [has, they] = names.length === 1 ? ['has', 'it was'] : ['have', 'they were'];
  return {
    ...about,
    message: `${list} ${has} been ${what} since ${they} run in the embedded database. To create the database again from the scripts, run headwater reset --database; its rows are lost.`,
  };
}
