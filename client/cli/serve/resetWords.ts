/** Describes a database that was created again, in lines. */
import type { ScriptReport, SkippedStatement } from '../../api/reports/scripts.ts';
import { countNoun } from '../validate/text.ts';

/** The maximum number of lines, so that they can be read at a glance. */
const mostLines = 10;

export function resetLines({ applied, problems, skipped }: ScriptReport): readonly string[] {
  const ofTables = skipped.filter(({ tables }) => tables.length > 0);
  const more = ofTables.length - mostLines;
  const others = skipped.length - ofTables.length;
  return [
    `The database was created again. Scripts that were run: ${applied}.`,
    ...problems,
    ...ofTables.slice(0, mostLines).map(lineOf),
    ...(more > 0 ? [`  … and ${countNoun(more, 'more statement')} about tables`] : []),
    ...(others > 0 ? [`Also left out, but not about tables: ${countNoun(others, 'statement')}.`] : []),
  ];
}

function lineOf({ script, line, tables, message, reason }: SkippedStatement): string {
  const what = reason === 'plain' ? 'was run without defaults, checks and references' : 'was left out';
  return `  ${script}:${line} ${what} (${tables.join(', ')}): ${message ?? reason}`;
}
