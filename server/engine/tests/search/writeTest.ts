/** Writes a counterexample as a test that can be added to a file. */
import type { SourceRow, SourceValue } from '../../plan/values/source.ts';
import { keyText } from '../../yaml/keys.ts';
import type { SearchCandidate } from './candidates.ts';

/** The name of the user in the test, unless another user already has it. */
export const witnessName = 'witness';

interface WrittenTest {
  /** The entry for `users`. */
  readonly user: string;
  /** The lines of the entry for `tests`, without the leading dash. */
  readonly lines: readonly string[];
}

export function writeTest(
  name: string,
  clientTable: string,
  { rows, main, asking }: SearchCandidate,
  userName = witnessName,
): WrittenTest {
  const { sub, ...claims } = asking.claims;
  const who = keyText(userName);
  const user = flow({
    ...(sub !== undefined && sub !== null && { id: sub }),
    ...(Object.keys(claims).length > 0 && { claims }),
    ...(Object.keys(asking.parameters).length > 0 && { parameters: asking.parameters }),
  });
  const tables = [...new Set(rows.map(({ table }) => table))];
  return {
    user: `${who}: ${user}`,
    lines: [
      `name: ${JSON.stringify(name)}`,
      'rows:',
      ...tables.map((table) => {
        const own = rows.filter((row) => row.table === table).map(({ values }) => flow(withoutNull(values)));
        return `  ${keyText(table)}: [${own.join(', ')}]`;
      }),
      ...(asking.subscriptions.length > 0
        ? [`subscribe: ${flow(asking.subscriptions as readonly SourceValue[])}`]
        : []),
      `expect: { ${who}: { ${keyText(clientTable)}: { excludes: [${flow(main.id)}] } } }`,
    ],
  };
}

function withoutNull(values: SourceRow): SourceRow {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** Writes a value as YAML in one line. */
function flow(value: unknown): string {
  if (typeof value === 'string') return keyText(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, inner]) => `${keyText(name)}: ${flow(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}
