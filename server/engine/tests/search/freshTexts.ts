/** Creates texts that occur nowhere else, in the form of the column's type. */
import type { CatalogColumn } from '../../model/catalog.ts';
import { compareTexts } from '../../text/order.ts';
import type { Cell } from './cells.ts';
import type { Scalar } from './classes.ts';

/** Returns a group of texts for each form that a column has. Columns of different forms have no common value. */
export function freshTexts(
  cells: readonly Cell[],
  columns: readonly (CatalogColumn | undefined)[],
  taken: ReadonlySet<Scalar>,
  count: number,
): readonly (readonly string[])[] {
  const known = new Set(
    columns.flatMap((column) => forms.find(([type]) => type.test(column?.sourceType ?? ''))?.[1] ?? []),
  );
  const writers = known.size > 0 ? [...known] : [namesFor(cells)];
  return writers.map((write) => {
    const texts: string[] = [];
    for (let n = 1; texts.length < count; n++) {
      const text = write(n);
      if (!taken.has(text)) texts.push(text);
    }
    return texts;
  });
}

const two = (n: number): string => String(n).padStart(2, '0');

const forms: readonly (readonly [RegExp, (n: number) => string])[] = [
  [/^uuid$/i, (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`],
  [/^(?:numeric|decimal)\b/i, (n) => String(100 + n)],
  [/^timestamp(?:tz)?\b/i, (n) => `2024-01-${two(n)} 00:00:00`],
  [/^date$/i, (n) => `2024-01-${two(n)}`],
  [/^timetz?\b/i, (n) => `00:00:${two(n)}`],
  [/^jsonb?$/i, (n) => `{"value": ${n}}`],
  [/^(?:varchar|character varying|(?:bp)?char|character)\(\d\)$/i, (n) => String.fromCharCode(0x60 + n)],
  [/\[|\barray\b/i, (n) => `["${n}"]`],
];

/** Returns a function for names such as `room1` and `room2`, for a class with a column `room_id`. */
function namesFor(cells: readonly Cell[]): (n: number) => string {
  const names = cells
    .map(({ path }) => path.at(-1) ?? '')
    .filter((name) => !['id', 'sub', ''].includes(name));
  const [shortest = 'value'] = names.sort((a, b) => a.length - b.length || compareTexts(a, b));
  const stem = shortest.replace(/_ids?$|Ids?$/, '') || 'value';
  return (n) => `${stem}${n}`;
}
