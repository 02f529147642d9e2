/** Describes tables and columns that a sync config reads but its source does not have. */
import { t } from '../l10n.ts';

export interface MissingPart {
  readonly table: string;
  /** Absent if the entire table is missing. */
  readonly column?: string;
  /** The kind of an object that services do not replicate, for example `view`. */
  readonly form?: string;
  /** The streams or bucket definitions that read the table or column. */
  readonly readBy: readonly string[];
}

/** The maximum number of named parts. If more are missing, the problem is the entire schema. */
const mostNamed = 12;

/** Returns a sentence for each, for example: `There is no table todos, which mine reads.` */
export function sentencesAbout(missing: readonly MissingPart[]): readonly string[] {
  return missing.map(sentenceFor);
}

/** Returns the first sentences, and the number of other missing parts. */
export function describeMissing(missing: readonly MissingPart[]): readonly string[] {
  const lines = sentencesAbout(missing.slice(0, mostNamed));
  const more = missing.length - lines.length;
  return more === 0 ? lines : [...lines, t('And {0} more.', more)];
}

function sentenceFor({ table, column, form, readBy }: MissingPart): string {
  const names = readBy.join(', ');
  if (form !== undefined)
    return readBy.length === 0
      ? t('{0} is not replicated ({1}).', table, form)
      : t('{0} is not replicated ({1}). {2} reads it.', table, form, names);
  const isTable = column === undefined;
  if (readBy.length === 0)
    return isTable
      ? t('There is no table {0}.', table)
      : t('There is no column {0} in the table {1}.', column, table);
  if (readBy.length === 1)
    return isTable
      ? t('There is no table {0}, which {1} reads.', table, names)
      : t('There is no column {0} in the table {1}, which {2} reads.', column, table, names);
  return isTable
    ? t('There is no table {0}, which {1} read.', table, names)
    : t('There is no column {0} in the table {1}, which {2} read.', column, table, names);
}
