/**
 * Writes the rows of a device as an access test: the user, the rows of the source, and the rows on the device. The test passes
 * with the present config, so it fails after a change that adds or removes rows.
 */
import { readRowFields } from '../../api/rowFields.ts';
import type { DeviceOwner } from './follow.ts';

interface TestMaterial {
  readonly owner: DeviceOwner;
  /** All source rows of the tables that the config reads. */
  readonly source: readonly { readonly table: string; readonly rows: readonly { readonly data: string }[] }[];
  /** The ids on the device, by table. */
  readonly device: ReadonlyMap<string, readonly string[]>;
}

/** The maximum number of rows. A longer test would not be readable. */
export const mostTestedRows = 500;

export function writeAccessTest({ owner, source, device }: TestMaterial): string {
  const { user, claims, question } = owner;
  const who = keyText(user);
  const parts = [
    `id: ${scalarText(user)}`,
    ...(Object.keys(claims).length > 0 ? [`claims: ${flowText(claims)}`] : []),
    ...(Object.keys(question.parameters).length > 0 ? [`parameters: ${flowText(question.parameters)}`] : []),
  ];
  const subscriptions = question.subscriptions.map(({ stream, parameters }) => {
    const own =
      parameters === null || Object.keys(parameters).length === 0
        ? ''
        : `, parameters: ${flowText(parameters)}`;
    return `      - { stream: ${keyText(stream)}${own} }`;
  });
  const filled = source.filter(({ rows }) => rows.length > 0);
  const tables = [...device].filter(([, ids]) => ids.length > 0);
  const expected = tables.map(
    ([table, ids]) => `${keyText(table)}: [${ids.toSorted().map(scalarText).join(', ')}]`,
  );
  return [
    'config: sync.yaml # the sync config of this device',
    '',
    'users:',
    `  ${who}: { ${parts.join(', ')} }`,
    '',
    ...(filled.length > 0 ? ['rows:'] : []),
    ...filled.flatMap(({ table, rows }) => [
      `  ${keyText(table)}:`,
      ...rows.map(({ data }) => `    - ${rowText(data)}`),
    ]),
    ...(filled.length > 0 ? [''] : []),
    'tests:',
    `  - name: ${JSON.stringify(`${user} gets these rows`)}`,
    ...(subscriptions.length > 0 ? ['    subscribe:', ...subscriptions] : []),
    '    expect:',
    expected.length === 0 ? `      ${who}: nothing` : `      ${who}: { ${expected.join(', ')} }`,
    '',
  ].join('\n');
}

function rowText(data: string): string {
  const fields = readRowFields(data) ?? [];
  const pairs = fields
    // Leave out columns that are NULL, because a test treats absent columns as NULL.
    .filter(({ kind }) => kind !== 'null')
    .map(({ name, kind, text }) => `${keyText(name)}: ${kind === 'number' ? text : scalarText(text)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Returns a value in YAML. JSON is also YAML. */
function flowText(value: unknown): string {
  if (typeof value === 'string') return scalarText(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, inner]) => `${keyText(name)}: ${flowText(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

const keyText = scalarText;

/** Returns the text in quotes, unless YAML reads it as a string anyway. */
function scalarText(text: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
