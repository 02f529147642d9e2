/** Describes changes of access for a message: the user, the row, its stream, and the other rows. */
import type { AccessComparison } from './access.ts';
import { modelLimits } from './model.ts';
import { writeTest } from './writeTest.ts';

interface DescribedAccess {
  readonly kind: 'gained' | 'lost';
  readonly stream: string;
  readonly table: string;
  readonly id: string;
  /** The changed columns. Absent: the whole row. */
  readonly columns?: readonly string[];
  /** The claims of the token, written as in a test. Absent if every user gets the rows. */
  readonly who?: string;
  /** The rows of the source by table, written as in a test. */
  readonly rows: readonly string[];
  /** The required subscription, written as in a test. */
  readonly asked?: string;
  readonly doubt?: string;
}

export interface DescribedComparison extends Pick<AccessComparison, 'isExhausted'> {
  readonly changes: readonly DescribedAccess[];
  /** The reasons why there is no proof, as noun phrases. */
  readonly limits: readonly string[];
}

export function describeComparison({
  changes,
  isExhausted,
  limits,
}: Pick<AccessComparison, 'changes' | 'isExhausted' | 'limits'>): DescribedComparison {
  return {
    changes: changes.map(describeAccess),
    isExhausted,
    limits: limits.map((limit) => modelLimits[limit]),
  };
}

export function describeAccess({
  kind,
  stream,
  table,
  candidate,
  columns,
  doubt,
}: AccessComparison['changes'][number]): DescribedAccess {
  const { user, lines } = writeTest('', table, candidate);
  const who = user.replace(/^witness: /, '');
  const asked = lines.find((line) => line.startsWith('subscribe:'));
  return {
    kind,
    stream,
    table,
    id: candidate.main.id,
    ...(columns && { columns }),
    ...(who !== '{}' && { who }),
    rows: lines
      .slice(2, -1)
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim()),
    ...(asked !== undefined && { asked }),
    ...(doubt !== undefined && { doubt }),
  };
}
