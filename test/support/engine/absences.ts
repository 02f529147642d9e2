/** Asks the engine why a row is not on a device, in a world of a few rows. */
import { type Absence, absencesOf, analyze, documentOf, traceConfig } from '../../../server/engine/index.ts';

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface Asking {
  readonly claims?: object | undefined;
  readonly parameters?: object | undefined;
  readonly subscriptions?: readonly { readonly stream: string; readonly parameters?: object }[];
  /** Whether the client also asks for the streams that need no subscription. Absent: yes. */
  readonly includeDefaults?: boolean;
}

export function absencesIn(
  text: string,
  rows: Rows,
  { table, row }: { readonly table: string; readonly row: object },
  { claims, parameters, subscriptions = [], includeDefaults = true }: Asking = {},
): readonly Absence[] {
  const { config } = analyze(text, { kind: 'sync' });
  if (config === undefined) throw new Error('no config');
  const { tracer, rowOf } = traceConfig(config);
  const tableNamed = (name: string) => ({ tag: 'default', schema: 'public', name });
  const lookups = new Map<string, (readonly never[])[]>();
  for (const [name, all] of Object.entries(rows))
    for (const each of all)
      for (const { entries } of tracer.row(tableNamed(name), rowOf(each as never)))
        for (const { key, values } of entries)
          lookups.set(key, [...(lookups.get(key) ?? []), values as readonly never[]]);
  const tracing = tracer.request({
    claims: documentOf((claims ?? { sub: 'ada' }) as never),
    connection: documentOf((parameters ?? {}) as never),
    subscriptions: subscriptions.map(({ stream, parameters: own }) =>
      own === undefined ? { stream } : { stream, parameters: documentOf(own as never) },
    ),
    includeDefaults,
  });
  let step = tracing.next(new Map());
  while (!step.done) step = tracing.next(new Map(step.value.map((key) => [key, lookups.get(key) ?? []])));
  return absencesOf(config, tracer.row(tableNamed(table), rowOf(row as never)), step.value);
}
