/**
 * Writes the text of a JSON object, property by property. Each piece of text costs time when it is joined and again when the text
 * is read, so a quotation mark is never a separate piece. Instead, it is part of the label before or after its value.
 */
import { isPlain, writeReal } from '../values/json.ts';
import type { SqlValue } from '../values/value.ts';

interface ObjectText {
  text: string;
  end: TextEnd;
}

/** The kind of the last piece. The closing quotation mark of a plain value is not written yet. */
export type TextEnd = typeof atStart | typeof afterValue | typeof inText;

export const atStart = 0;
export const afterValue = 1;
export const inText = 2;

/** The name of a property with the separator before it, for each kind of the last piece. */
export interface Label {
  readonly name: string;
  readonly beforeValue: readonly [string, string, string];
  readonly beforeText: readonly [string, string, string];
}

function toLabel(name: string): Label {
  const label = `${JSON.stringify(name)}:`;
  return {
    name,
    beforeValue: [`{${label}`, `,${label}`, `",${label}`],
    beforeText: [`{${label}"`, `,${label}"`, `",${label}"`],
  };
}

export function emptyObject(): ObjectText {
  return { text: '', end: atStart };
}

/** Adds a property. Blobs are left out, because they are never synced. */
export function addProperty(to: ObjectText, label: Label, value: SqlValue): void {
  if (typeof value === 'string' && isPlain(value)) {
    to.text = to.text + label.beforeText[to.end] + value;
    to.end = inText;
  } else if (value === null || typeof value !== 'object') {
    to.text = to.text + label.beforeValue[to.end] + writeScalar(value);
    to.end = afterValue;
  }
}

export function writeScalar(value: null | string | bigint | number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return writeReal(value);
    default:
      return 'null';
  }
}

export function closeObject({ text, end }: ObjectText): string {
  if (end === atStart) return '{}';
  return end === inText ? `${text}"}` : `${text}}`;
}

const labels = new Map<string, Label>();
/** The maximum number of cached labels. The rows of a source have few column names, but a source could create new names forever. */
const mostLabels = 10_000;

export function labelOf(name: string): Label {
  const known = labels.get(name);
  if (known !== undefined) return known;
  if (labels.size >= mostLabels) labels.clear();
  const label = toLabel(name);
  labels.set(name, label);
  return label;
}
