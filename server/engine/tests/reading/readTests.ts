/**
 * Reads the text of an access test file, and reports everything that cannot be read. It accepts any text and returns all readable
 * parts.
 */
import type { Finding, Report } from '../../diagnostics/diagnostics.ts';
import { argsAt, list, names, type ReadValue, readMapFields, type SourceText } from '../../model/shape.ts';
import type { JsonObject } from '../../plan/values/json.ts';
import { type LargeReading, readLargeYaml } from '../../yaml/large.ts';
import type { YamlNode } from '../../yaml/nodes.ts';
import { readYaml } from '../../yaml/read.ts';
import type { AccessTest, AlwaysClaim, TestFile, TestRow, TestUser, WithPlace } from '../testFile.ts';
import { placedKey, rowsByTable } from './readRows.ts';
import { accessTest, alwaysClaim, placedObject, placedText } from './readTest.ts';
import { expandAliases, idOfNode } from './yamlValues.ts';

export interface ReadTests {
  readonly text: string;
  readonly file: TestFile;
  readonly findings: readonly Finding[];
  /** The parsed pieces of a long text. */
  readonly pieces: LargeReading['pieces'];
}

interface FileKeys {
  readonly config: WithPlace;
  readonly schema: WithPlace;
  readonly users: readonly TestUser[];
  readonly rows: { readonly seeds: readonly WithPlace[]; readonly rows: readonly TestRow[] };
  readonly tests: readonly AccessTest[];
  readonly always: readonly AlwaysClaim[];
}

/** The number of characters from which a text is read in pieces. */
const longText = 64 * 1024;

/** @param before an earlier version of the same file, whose unchanged pieces are not read again */
export function readTests(text: string, before?: Pick<ReadTests, 'pieces'>): ReadTests {
  const reading =
    text.length > longText ? readLargeYaml(text, before?.pieces) : { ...readYaml(text), pieces: new Map() };
  const findings: Finding[] = [...reading.findings];
  const cut = reading.findings.find(({ code }) => code === 'yaml-too-long')?.span.start;
  const report: Report = (code, span, args) => {
    // A value after the place where reading stopped is missing.
    if (cut === undefined || span.start < cut) findings.push({ code, span, args: args as object });
  };
  const root = reading.root && expandAliases(reading.root);
  const file = root?.kind === 'map' ? readFile({ text, report }, root) : noTests;
  if (root !== undefined && root.kind !== 'map') report('expected-map', root.span, argsAt(root, 'tests'));
  return { text, file, findings, pieces: reading.pieces };
}

const noTests: TestFile = { users: [], seeds: [], rows: [], tests: [], always: [], lists: [] };

function readFile(source: SourceText, root: YamlNode & { kind: 'map' }): TestFile {
  const fields = readMapFields<FileKeys>(source, root, {
    config: placedText,
    schema: placedText,
    users: names(user),
    rows: sharedRows,
    tests: list(accessTest),
    always: list(alwaysClaim),
  });
  const config = fields.config?.value;
  const schema = fields.schema?.value;
  if (fields.config === undefined && (fields.tests ?? fields.always) !== undefined)
    source.report('test-no-config', (fields.tests ?? fields.always)?.key.span ?? root.span, {
      reason: 'missing',
    });
  const file: TestFile = {
    ...(config && { config }),
    ...(schema && { schema }),
    users: fields.users?.value ?? [],
    seeds: fields.rows?.value?.seeds ?? [],
    rows: fields.rows?.value?.rows ?? [],
    tests: fields.tests?.value ?? [],
    always: fields.always?.value ?? [],
    lists: [fields.tests, fields.always].flatMap((field) => field?.node.span ?? []),
  };
  checkNamesTwice(source, 'test', file.tests);
  checkNamesTwice(source, 'claim', file.always);
  return file;
}

function checkNamesTwice(
  { report }: SourceText,
  what: string,
  named: readonly { readonly name: WithPlace }[],
): void {
  const seen = new Set<string>();
  for (const { name } of named) {
    if (seen.has(name.value)) report('test-duplicate-name', name.span, { what, name: name.value });
    seen.add(name.value);
  }
}

function user(source: SourceText, key: YamlNode, node: YamlNode): TestUser {
  const name = placedKey(source, key);
  if (node.kind === 'scalar' && node.value === null) return { name, claims: {}, parameters: {} };
  if (node.kind !== 'map') {
    const id = idOfNode(node);
    const instead = id === undefined ? undefined : `Write \`{ id: ${id} }\`.`;
    source.report('expected-map', node.span, { ...argsAt(node, name.value), ...(instead && { instead }) });
    // The user was intended, so tests of this user get no further finding.
    return { name, claims: id === undefined ? {} : { sub: id }, parameters: {} };
  }
  const fields = readMapFields<{ id: string; claims: JsonObject; parameters: JsonObject }>(source, node, {
    id: ({ report }, inner, field) => {
      const id = idOfNode(inner);
      if (id === undefined) report('expected-string', inner.span, argsAt(inner, field));
      return id;
    },
    claims: values,
    parameters: values,
  });
  const id = fields.id?.value;
  return {
    name,
    claims: { ...(id !== undefined && { sub: id }), ...fields.claims?.value },
    parameters: fields.parameters?.value ?? {},
  };
}

const values: ReadValue<JsonObject> = (source, node, key) => placedObject(source, node, key)?.values;

/** Reads the rows by table, and `from`, which names files with more rows. */
const sharedRows: ReadValue<FileKeys['rows']> = (source, node, key) => {
  if (node.kind !== 'map') {
    source.report('expected-map', node.span, argsAt(node, key));
    return undefined;
  }
  const isSeed = ({ key: name, value }: (typeof node.pairs)[number]) =>
    name.kind === 'scalar' && name.text === 'from' && (value.kind === 'scalar' || areTexts(value));
  const seeds = node.pairs.filter(isSeed).flatMap(({ value }) => {
    const one = value.kind === 'sequence' ? value.items : [value];
    return one.flatMap((item) => placedText(source, item, 'from') ?? []);
  });
  const tables = { ...node, pairs: node.pairs.filter((pair) => !isSeed(pair)) };
  return { seeds, rows: rowsByTable(source, tables, key) ?? [] };
};

/** Whether a value of `from` is a list of texts. A table may also have the name `from`, and its rows are maps. */
function areTexts(node: YamlNode): boolean {
  return node.kind === 'sequence' && node.items.every(({ kind }) => kind === 'scalar');
}
