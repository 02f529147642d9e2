/** Explains why a table or a column is missing, if a skipped statement of the project's scripts would have created it. */
import type { MatchedTable, SkippedStatement, SkippedTable, SourceProblem } from '../../source.ts';
import { usualLimits } from '../limits.ts';

/** @param columnsOf returns the columns of an existing table, by its oid */
export function explainMissing(
  matched: readonly MatchedTable[],
  skipped: readonly SkippedStatement[],
  columnsOf: (oid: number) => ReadonlySet<string>,
): readonly MatchedTable[] {
  if (skipped.length === 0) return matched;
  return matched.map((match) => {
    const { table, pattern } = match;
    const { schema, name } = table ?? { schema: pattern.schema.text, name: pattern.name.text };
    const isIt = (each: SkippedTable): boolean => each.schema === schema && each.name === name;
    if (table === undefined) {
      const maker = skipped.find(({ makes }) => makes.some(isIt));
      return maker ? { ...match, problems: [missingTable({ schema, name }, maker)] } : match;
    }
    const columns = columnsOf(table.sourceId);
    const missing = skipped.flatMap((statement) =>
      statement.adds
        .filter((each) => isIt(each) && !columns.has(each.column))
        .map((each) => missingColumn(each, statement)),
    );
    return missing.length > 0 ? { ...match, problems: [...match.problems, ...missing] } : match;
  });
}

function missingTable({ schema, name }: SkippedTable, statement: SkippedStatement): SourceProblem {
  return toProblem(`Table "${schema}"."${name}" not found`, 'creates', statement);
}

function missingColumn(
  { schema, name, column }: SkippedStatement['adds'][number],
  statement: SkippedStatement,
): SourceProblem {
  return toProblem(`Column "${column}" of table "${schema}"."${name}" not found`, 'adds', statement);
}

function toProblem(what: string, verb: string, statement: SkippedStatement): SourceProblem {
  const { script, line } = statement;
  return {
    level: 'warning',
    code: 'SVC_S1152',
    kind: 'left out',
    message: `${what}. The statement that ${verb} it was left out (${script}:${line}): ${reasonOf(statement)}`,
  };
}

const reasons: Readonly<Record<SkippedStatement['reason'], string>> = {
  failed: 'it failed.',
  plain: 'it failed.',
  server: 'it affects the whole server.',
  files: 'it uses files of the server.',
  psql: 'it is a psql command.',
  timeout: `it took longer than ${usualLimits.script / 1000} s.`,
  ended: 'it ended the database.',
};

function reasonOf({ reason, message }: SkippedStatement): string {
  return message ?? reasons[reason];
}
