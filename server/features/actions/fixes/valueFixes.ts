/** Fixes of YAML values that have the wrong type or are out of range. */
import { shiftEdits } from '../../../engine/text/edit.ts';
import { columnOf } from '../../../engine/text/lines.ts';
import { span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import type { YamlScalar } from '../../../engine/yaml/nodes.ts';
import type { Fix, Fixes, Subject } from '../fix.ts';
import { insertAt, isSame, sure } from '../sqlEdits.ts';
import { settingText } from '../yamlEdits.ts';

export const valueFixes: Fixes = {
  'expected-string': (subject) => {
    const scalar = scalarOf(subject);
    return scalar?.text ? [write(subject, JSON.stringify(scalar.text), 'Add quotes')] : [];
  },
  'expected-number': (subject) => {
    const text = scalarOf(subject)?.text.trim() ?? '';
    return /^\d+$/.test(text) ? [write(subject, text)] : [];
  },
  'expected-boolean': (subject) => {
    const meant = booleans.get(scalarOf(subject)?.text.trim().toLowerCase() ?? '');
    return meant === undefined ? [] : [write(subject, meant)];
  },
  'expected-sequence': wrap,
  'event-payloads-not-a-list': wrap,
  'invalid-priority': (subject) => {
    const text = subject.sql ? '' : (scalarOf(subject)?.text.trim() ?? '');
    const meant = priorities.get(text.toLowerCase());
    if (meant !== undefined) return [write(subject, meant)];
    const number = Number(text === '' ? Number.NaN : text);
    if (Number.isNaN(number)) return [];
    return [write(subject, String(Math.min(3, Math.max(0, Math.round(number)))))];
  },
  'unknown-time-precision': ({ finding: { args }, ...subject }) => writeNear(subject, args.near),
  'service-unknown-value': ({ finding: { args }, ...subject }) => writeNear(subject, args.near),
  'env-wrong-type': ({ finding: { args }, ...subject }) =>
    args.instead === undefined ? [] : [write(subject, args.instead, `Write !env ${args.instead}`)],
  'env-without-prefix': ({ finding: { args }, ...subject }) => {
    const scalar = scalarOf(subject);
    const name = `PS_${scalar?.text ?? args.name}`;
    return scalar ? [write(subject, name, `Rename to ${name}`)] : [];
  },
  'expected-scalar': (subject) => [...insertAnchor(subject), ...renameToQueries(subject)],
  'env-unknown-suffix': ({ finding: { args }, ...subject }) => {
    const scalar = scalarOf(subject) ?? lastScalar(subject);
    if (args.near === undefined || !scalar) return [];
    const text = scalar.text.replace(/::.*$/, `::${args.near}`);
    return [{ title: `Write ::${args.near}`, edits: settingText(subject.part, scalar, text), ...sure }];
  },
};

/** Names of priorities as in job queues. */
const priorities: ReadonlyMap<string, string> = new Map([
  ...['highest', 'urgent', 'critical'].map((word) => [word, '0'] as const),
  ['high', '1'],
  ...['medium', 'normal', 'default'].map((word) => [word, '2'] as const),
  ...['low', 'lowest'].map((word) => [word, '3'] as const),
]);

const booleans: ReadonlyMap<string, string> = new Map([
  ...['true', 'yes', 'on', 'y', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'no', 'off', 'n', '0'].map((word) => [word, 'false'] as const),
]);

type Place = Omit<Subject, 'finding'>;

/** Returns the scalar that the finding marks. */
function scalarOf({ path, at }: Place): YamlScalar | undefined {
  const found = path.map(({ node }) => node).findLast((node) => isSame(node.span, at));
  return found?.kind === 'scalar' ? found : undefined;
}

function write({ part, at }: Place, text: string, title = `Write ${text}`): Fix {
  return { title, edits: shiftEdits([{ span: at, text }], part.base), ...sure };
}

function writeNear(place: Place, near: string | undefined): readonly Fix[] {
  const scalar = scalarOf(place);
  if (near === undefined || !scalar) return [];
  return [{ title: `Write ${near}`, edits: settingText(place.part, scalar, near), ...sure }];
}

/** Makes a list of a single value. */
function wrap({ part, path, at }: Place): readonly Fix[] {
  const found = path.findLast(({ node }) => isSame(node.span, at));
  const map = found?.above.at(-1);
  if (found?.node.kind !== 'scalar' || found.node.text === '' || map?.kind !== 'map') return [];
  const source = part.reading.text;
  const raw = source.slice(at.start, at.end);
  // The first item lacks a dash, so the others are part of its text.
  if (/\n *- /.test(raw))
    return [{ title: 'Make it a list', edits: shiftEdits([insertAt(at.start, '- ')], part.base), ...sure }];
  const isShort = !raw.includes('\n') && !map.flow;
  const indent = columnOf(source, map.span.start) + 2;
  const lineBreak = endOfLineOf(source);
  const text = isShort ? `${lineBreak}${' '.repeat(indent)}- ${raw}` : `[${JSON.stringify(found.node.text)}]`;
  return [
    {
      title: 'Make it a list',
      edits: shiftEdits(
        [{ span: isShort ? span(behindBlanks(source, at.start), at.end) : at, text }],
        part.base,
      ),
      ...sure,
    },
  ];
}

/** Returns the start of the blanks before a place. */
function behindBlanks(source: string, at: number): number {
  return source.slice(0, at).trimEnd().length;
}

function lastScalar({ path }: Place): YamlScalar | undefined {
  const node = path.at(-1)?.node;
  return node?.kind === 'scalar' ? node : undefined;
}

/** Renames `query` to `queries` if its value is a list. */
function renameToQueries({ part, path, at }: Place): readonly Fix[] {
  const found = path.findLast(({ node }) => isSame(node.span, at));
  const key = found?.pair?.key;
  if (found?.node.kind !== 'sequence' || key?.kind !== 'scalar' || key.text !== 'query') return [];
  return [
    { title: 'Write queries', edits: shiftEdits([{ span: key.span, text: 'queries' }], part.base), ...sure },
  ];
}

/** Replaces an alias with the content of its anchor, because services do not follow aliases. */
function insertAnchor({ analysis, part, path, at }: Place): readonly Fix[] {
  const alias = path.map(({ node }) => node).findLast((node) => isSame(node.span, at));
  if (alias?.kind !== 'alias') return [];
  const anchor = new RegExp(`&${alias.name}[ \\t]+([^\\r\\n]+)`).exec(analysis.text)?.[1];
  if (anchor === undefined || /^[|>&*{[]/.test(anchor)) return [];
  return [
    { title: 'Replace the alias with its value', edits: shiftEdits([{ span: at, text: anchor }], part.base) },
  ];
}
