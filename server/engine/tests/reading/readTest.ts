/** Reads an entry of `tests`: its rows and subscriptions, then its expectations and steps in order. */
import {
  argsAt,
  boolean,
  list,
  type MapFields,
  type ReadValue,
  readMapFields,
  type SourceText,
} from '../../model/shape.ts';
import type { JsonObject } from '../../plan/values/json.ts';
import type { YamlNode } from '../../yaml/nodes.ts';
import type {
  AccessTest,
  AlwaysClaim,
  DeletedRow,
  TestExpectation,
  TestRow,
  TestStep,
  TestSubscription,
  WithPlace,
} from '../testFile.ts';
import { expectation } from './readExpectation.ts';
import { idsByTable, placedKey, rowsByTable } from './readRows.ts';
import { objectOfMap } from './yamlValues.ts';

/** Reads a text with its span. */
export const placedText: ReadValue<WithPlace> = ({ report }, node, key) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return { value: node.value, span: node.span };
  report('expected-string', node.span, argsAt(node, key));
  return undefined;
};

interface TestKeys {
  readonly name: WithPlace;
  readonly strict: boolean;
  readonly rows: readonly TestRow[];
  readonly subscribe: readonly TestSubscription[];
  readonly expect: TestExpectation;
  readonly steps: readonly TestStep[];
}

export const accessTest: ReadValue<AccessTest> = (source, node, key) => {
  const fields = readEntry<TestKeys>(source, node, key, {
    name: placedText,
    strict: boolean,
    rows: rowsByTable,
    subscribe: list(subscription),
    expect: expectation,
    steps: list(step),
  });
  if (fields === undefined) return undefined;
  const { rows, expect, steps } = fields;
  return {
    name: fields.name?.value ?? { value: 'unnamed', span: { start: node.span.start, end: node.span.start } },
    span: node.span,
    strict: fields.strict?.value ?? false,
    subscriptions: fields.subscribe?.value ?? [],
    steps: [
      ...(rows?.value ? [{ kind: 'insert', rows: rows.value, isStart: true } as const] : []),
      ...(expect?.value ? [{ kind: 'expect', expectation: expect.value } as const] : []),
      ...(steps?.value ?? []),
    ],
  };
};

interface ClaimKeys {
  readonly name: WithPlace;
  readonly table: WithPlace;
  readonly holds: WithPlace;
}

export const alwaysClaim: ReadValue<AlwaysClaim> = (source, node, key) => {
  const fields = readEntry<ClaimKeys>(source, node, key, {
    name: placedText,
    table: placedText,
    holds: placedText,
  });
  if (fields === undefined) return undefined;
  const table = fields.table?.value;
  const holds = fields.holds?.value;
  const missing = (['table', 'holds'] as const).find((each) => fields[each] === undefined);
  if (missing !== undefined)
    source.report('test-unreadable-claim', node.span, { reason: `\`${missing}\` is missing.` });
  if (table === undefined || holds === undefined) return undefined;
  return { name: fields.name?.value ?? { ...holds, span: node.span }, table, holds };
};

function readEntry<T>(
  source: SourceText,
  node: YamlNode,
  key: string,
  keys: Parameters<typeof readMapFields<T>>[2],
): MapFields<T> | undefined {
  if (node.kind === 'map') return readMapFields<T>(source, node, keys);
  source.report('expected-map', node.span, argsAt(node, key));
  return undefined;
}

interface SubscriptionKeys {
  readonly stream: WithPlace;
  readonly parameters: { readonly values: JsonObject; readonly names: readonly WithPlace[] };
}

function subscription(source: SourceText, node: YamlNode, key: string): TestSubscription | undefined {
  const stream = node.kind === 'scalar' ? placedText(source, node, key) : undefined;
  if (stream !== undefined) return { stream, parameters: {}, names: [] };
  const fields = readEntry<SubscriptionKeys>(source, node, key, {
    stream: placedText,
    parameters: placedObject,
  });
  const named = fields?.stream?.value;
  if (named === undefined) return undefined;
  const { values = {}, names = [] } = fields?.parameters?.value ?? {};
  return { stream: named, parameters: values, names };
}

/** Reads a map from names to values of any type. */
export const placedObject: ReadValue<SubscriptionKeys['parameters']> = (source, node, key) => {
  if (node.kind === 'map')
    return { values: objectOfMap(node), names: node.pairs.map((pair) => placedKey(source, pair.key)) };
  source.report('expected-map', node.span, argsAt(node, key));
  return undefined;
};

interface StepKeys {
  readonly insert: readonly TestRow[];
  readonly update: readonly TestRow[];
  readonly delete: readonly DeletedRow[];
  readonly expect: TestExpectation;
}

function step(source: SourceText, node: YamlNode, key: string): TestStep | undefined {
  const fields = readEntry<StepKeys>(source, node, key, {
    insert: rowsByTable,
    update: rowsByTable,
    delete: idsByTable,
    expect: expectation,
  });
  if (fields === undefined) return undefined;
  const steps: TestStep[] = [
    ...(fields.insert?.value ? [{ kind: 'insert', rows: fields.insert.value } as const] : []),
    ...(fields.update?.value ? [{ kind: 'update', rows: fields.update.value } as const] : []),
    ...(fields.delete?.value ? [{ kind: 'delete', rows: fields.delete.value } as const] : []),
    ...(fields.expect?.value ? [{ kind: 'expect', expectation: fields.expect.value } as const] : []),
  ];
  if (steps.length > 1)
    source.report('test-unreadable-expectation', node.span, {
      reason: 'A step can do only one thing. Start another step with a dash.',
    });
  return steps[0];
}
