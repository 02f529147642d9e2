/** Writes the `config` map of the migrated file: edition 3, and all options that keep the rows unchanged. */
import type { Options } from '../model/definition.ts';
import { contains, type Expression } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import type { Edit } from '../text/edit.ts';
import { columnOf } from '../text/lines.ts';
import { span } from '../text/span.ts';
import type { YamlMap } from '../yaml/nodes.ts';

/** Returns options that change rows and were off by default before edition 2. They are written only if they were off. */
export function optionsToKeep(options: Options, readsOldJson: boolean): readonly string[] {
  return [
    ...(options.timestampsIso8601 ? [] : ['timestamps_iso8601: false']),
    ...(options.customPostgresTypes ? [] : ['custom_postgres_types: false']),
    ...(options.fixedJsonExtract || !readsOldJson ? [] : ['fixed_json_extract: false']),
  ];
}

const jsonFunctions: ReadonlySet<string> = new Set(['json_extract', 'json_array_length', 'json_keys']);

/**
 * Whether the plans read keys with dots, or JSON in rows. Plain names of request values are read in the same way with and without
 * the option.
 */
export function readsJson(plans: readonly StreamPlan[]): boolean {
  return plans.some((plan) => expressionsIn(plan).some((expression) => contains(expression, readsPath)));
}

function readsPath(node: Expression): boolean {
  if (node.kind === 'function') return jsonFunctions.has(node.name);
  if (node.kind !== 'operation' || (node.op !== '->' && node.op !== '->>')) return false;
  const [operand, key] = node.args;
  const isName = key?.kind === 'constant' && key.value.type === 'text' && /^\w+$/.test(key.value.value);
  return operand?.kind !== 'request' || !isName;
}

function expressionsIn({ sources, lookups, routes }: StreamPlan): readonly Expression[] {
  const rules = sources.flatMap((source) => source.rules);
  return [
    ...rules.flatMap((rule) => [
      ...rule.keys,
      ...rule.columns.flatMap((column) => (column.kind === 'column' ? [column.value] : [])),
    ]),
    ...lookups.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]),
    ...[...rules, ...lookups].flatMap(({ filter, expansions }) => [
      ...filter,
      ...expansions.flatMap(({ args }) => args),
    ]),
    ...routes.flatMap(({ filter, keys, steps }) => [
      ...filter,
      ...keys.flat().flatMap((value) => (value.kind === 'request' ? [value.value] : [])),
      ...steps.flatMap((step) =>
        step.kind === 'lookup'
          ? step.inputs.flat().flatMap((value) => (value.kind === 'request' ? [value.value] : []))
          : [...step.expansion.args, ...step.filter, ...step.outputs],
      ),
    ]),
  ];
}

/** Returns the edits, relative to the part of the file that contains the map. */
export function configEdits(source: string, map: YamlMap, options: readonly string[]): readonly Edit[] {
  const keys = map.pairs.flatMap(({ key }) => (key.kind === 'scalar' ? [key.text] : []));
  const edition = map.pairs.find(({ key }) => key.kind === 'scalar' && key.text === 'edition');
  const missing = options.filter((option) => !keys.some((key) => option.startsWith(`${key}:`)));
  const added = edition ? missing : ['edition: 3', ...missing];
  return [
    ...(edition ? [{ span: edition.value.span, text: '3' }] : []),
    ...(added.length > 0 ? [insertion(source, map, added)] : []),
  ];
}

function insertion(source: string, map: YamlMap, options: readonly string[]): Edit {
  const first = map.pairs[0]?.key.span.start;
  if (map.flow || first === undefined) {
    const at = map.span.start + 1;
    return { span: span(at, at), text: `${options.join(', ')}${first === undefined ? '' : ', '}` };
  }
  const indent = ' '.repeat(columnOf(source, first));
  return { span: span(first, first), text: options.map((option) => `${option}\n${indent}`).join('') };
}

export function newConfig(options: readonly string[]): string[] {
  return ['config:', '  edition: 3', ...options.map((option) => `  ${option}`)];
}
