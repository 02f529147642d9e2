/**
 * Decides what a changed definition of a table means for its stored rows. The log of a source contains only changes of rows. If a
 * migration changes values without changing rows, only the shape of the table shows it.
 *
 * | Change | Consequence |
 * | --- | --- |
 * | the table joined or left the published tables, or is published in another way | copy again |
 * | a column was dropped, renamed, or replaced by another one of its name | copy again |
 * | a new column for which existing rows have a value: a default, a generated column | copy again |
 * | another type, a renamed label of an enum, a changed composite, another expression | copy again |
 * | the table was rewritten, and the definition of a column was changed | copy again |
 * | a new column without a value, a new label, `NOT NULL`, a longer `varchar` | nothing |
 * | the table was rewritten or emptied, and no column was changed | nothing |
 *
 * Unknown parts, such as those of a table that an earlier release copied, count as unchanged.
 */
import type { ColumnShape, StoredTable, TableShape } from '../../storage/storage.ts';
import type { LoggedTable, TableInfo } from '../source.ts';

type ShapeChange =
  | { readonly kind: 'membership' }
  | { readonly kind: ColumnChangeKind; readonly column: string }
  | { readonly kind: 'renamed'; readonly column: string; readonly to: string }
  | { readonly kind: 'retyped'; readonly column: string; readonly from: string; readonly to: string };

type ColumnChangeKind = 'replaced' | 'dropped' | 'added' | 'other values' | 'rewritten';

/** Returns the changes after which stored rows may differ from the source. */
export function shapeChanges(
  before: TableShape | undefined,
  now: TableShape | undefined,
): readonly ShapeChange[] {
  if (before === undefined || now === undefined) return [];
  const changes: ShapeChange[] = [];
  if (before.membership !== now.membership) changes.push({ kind: 'membership' });
  for (const column of Object.keys(before.columns)) changes.push(...changesOf(column, before, now));
  for (const column of Object.keys(now.columns))
    if (isFilled(column, before, now)) changes.push({ kind: 'added', column });
  return changes;
}

/** Whether stored rows may differ from the source. */
export function isRemade(before: TableShape | undefined, now: TableShape | undefined): boolean {
  return shapeChanges(before, now).length > 0;
}

/**
 * Whether stored rows may differ from the source, or from rows of the log from here on.
 * @param isAhead whether stored rows may be newer than the log
 */
export function isOther(
  { logged, shape }: { readonly logged?: LoggedTable | undefined; readonly shape?: TableShape | undefined },
  stored: TableShape | undefined,
  { isAhead }: { readonly isAhead: boolean },
): boolean {
  return (
    isRemade(stored, shape) ||
    isOtherInLog(logged, stored, shape) ||
    (isAhead && isFromBefore(logged, stored))
  );
}

/** Returns the reason to copy a table again, as the end of a sentence after "because"; undefined if there is none. */
export function reasonToCopy(
  { shape }: Pick<TableInfo, 'shape'>,
  stored: StoredTable | undefined,
): string | undefined {
  if (stored === undefined) return 'it is new, or has replaced another table.';
  const [first] = shapeChanges(stored.shape, shape);
  if (first !== undefined) return `${reasonText(first)}.`;
  // This includes a change that was undone, because rows in between may have been stored with other columns.
  return stored.copied
    ? undefined
    : 'its last copy is incomplete, or its definition changed in the meantime.';
}

/** Returns a change as a phrase. */
export function reasonText(change: ShapeChange): string {
  switch (change.kind) {
    case 'membership':
      return 'its changes were not published for some time, or were published differently';
    case 'replaced':
      return `"${change.column}" was dropped and added again`;
    case 'dropped':
      return `"${change.column}" was dropped`;
    case 'renamed':
      return `"${change.column}" was renamed to "${change.to}"`;
    case 'retyped':
      return `"${change.column}" changed from ${change.from} to ${change.to}`;
    case 'added':
      return `"${change.column}" was added, and existing rows have a value for it`;
    case 'other values':
      return `the values of "${change.column}" have other names or fields`;
    case 'rewritten':
      return `the values of "${change.column}" may have been rewritten`;
  }
}

/**
 * Whether rows of the log have other columns than the stored rows, although the current definition is the one with which the
 * table was copied. Either a change was undone and rows were written in between, or the copy, and some of its columns, are newer
 * than the log.
 */
export function isOtherInLog(
  logged: LoggedTable | undefined,
  stored: TableShape | undefined,
  now: TableShape | undefined,
): boolean {
  if (logged === undefined || stored === undefined || now === undefined) return false;
  const common = (now.published ?? []).filter((name) => stored.published?.includes(name));
  const inLog = logged.columns.flatMap(({ name }) => (common.includes(name) ? [name] : []));
  if (common.some((name, at) => inLog[at] !== name)) return true;
  return logged.columns.some(({ name, type }) => {
    if (stored.columns[name] === undefined) return now.columns[name] === undefined;
    const known = stored.details?.[name]?.facts.type;
    return known !== undefined && known !== String(type);
  });
}

/**
 * The maximum number of transactions by which a copy can be ahead of the log. If numbers are further apart, they have wrapped
 * around in between.
 */
const mostAhead = 2 ** 24;

/** Returns the shape of a table that is being copied now. */
export function asCopied(shape: TableShape): TableShape {
  const { published, details = {} } = shape;
  if (published === undefined) return shape;
  const changes = Object.values(details).map(({ changedBy }) => changedBy);
  return withCopy(shape, { published, copiedAfter: [...new Set(changes)] });
}

/** Returns the shape of a table that has changed without any effect on the rows that were copied before. */
export function asAdopted(now: TableShape, before: TableShape): TableShape {
  return withCopy(now, before);
}

function withCopy(shape: TableShape, { published, copiedAfter }: CopyFacts): TableShape {
  const { published: _, copiedAfter: __, ...rest } = shape;
  return { ...rest, ...(published && { published }), ...(copiedAfter && { copiedAfter }) };
}

type CopyFacts = Pick<TableShape, 'published' | 'copiedAfter'>;

/**
 * Whether a row of the log is older than a definition with which the table was copied. Call it only while stored rows may be
 * newer than the log.
 */
export function isFromBefore(logged: LoggedTable | undefined, stored: TableShape | undefined): boolean {
  if (logged === undefined) return false;
  return (stored?.copiedAfter ?? []).some((changedBy) => {
    const ahead = (Number(changedBy) - logged.transaction) >>> 0;
    return ahead > 0 && ahead <= mostAhead;
  });
}

function changesOf(column: string, before: TableShape, now: TableShape): readonly ShapeChange[] {
  const number = now.columns[column];
  if (number === undefined) {
    const to = Object.keys(now.columns).find((name) => now.columns[name] === before.columns[column]);
    return [to === undefined ? { kind: 'dropped', column } : { kind: 'renamed', column, to }];
  }
  if (number !== before.columns[column]) return [{ kind: 'replaced', column }];
  const [old, other] = [before.details?.[column], now.details?.[column]];
  if (old === undefined || other === undefined) return [];
  if (old.facts.type !== other.facts.type)
    return [{ kind: 'retyped', column, from: old.displayType, to: other.displayType }];
  if (hasOtherFacts(old, other)) return [{ kind: 'other values', column }];
  const isRewritten = isOtherFile(before, now) && old.changedBy !== other.changedBy;
  return isRewritten ? [{ kind: 'rewritten', column }] : [];
}

/** Whether a known fact has changed. Additional facts do not matter: they are new labels of an enum. */
function hasOtherFacts(before: ColumnShape, now: ColumnShape): boolean {
  return Object.entries(before.facts).some(([name, fact]) => now.facts[name] !== fact);
}

/** Whether existing rows may have a value for a new column. */
function isFilled(column: string, before: TableShape, now: TableShape): boolean {
  const isNew = before.columns[column] === undefined;
  const isRenamed = Object.values(before.columns).some((id) => id === now.columns[column]);
  return isNew && !isRenamed && (now.details?.[column]?.isFilled === true || isOtherFile(before, now));
}

function isOtherFile(before: TableShape, now: TableShape): boolean {
  return before.file !== undefined && now.file !== undefined && before.file !== now.file;
}
