import { nearest } from '../../../server/engine/index.ts';
import { harmless } from '../colours.ts';
import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { jsonValue, readObject, readTraced, type TracedConfig, tableNamed, valueText } from '../tracing.ts';

type RuleTrace = ReturnType<TracedConfig['tracer']['row']>[number];

export const explainRow = command({
  name: 'explain row',
  summary: 'Explain which buckets a row goes to, and why not to others',
  about: `Runs a row through a sync config, with the code that the service syncs with. For each query that reads its table, it says
to which bucket the row goes, or which condition excludes it. It needs no service.

A bucket is named after its stream, the number of its query and the values of its parameters: lists|0["ada"].

Exit code 0: the row goes to a bucket; 1: it goes to none.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    table: {
      value: 'TABLE',
      summary: 'The table of the row, optionally with its schema: lists or app.lists',
    },
    row: { value: 'JSON', summary: 'The row: \'{"id": "1"}\', or @FILE' },
  },
  examples: [`explain row --table lists --row '{"id": "1", "owner_id": "ada"}' sync.yaml`],
  run: async ({ words, text, world, paint }) => {
    const [table, given] = [text('table'), text('row')];
    if (table === undefined || given === undefined)
      throw new CliFailure('Which row? Write --table TABLE and --row JSON.');
    const path = await locateSyncConfig(world, words[0]);
    const config = await readTraced(path, world);
    const row = config.rowOf(await readObject(given, '--row', world));
    const rules = config.tracer.row(tableNamed(table, config.defaultSchema), row);
    const isGiven = rules.some(({ rows }) => rows.length > 0);
    const near = nearest(table, config.tables);
    const hint = near === undefined || near === table ? '' : ` Did you mean ${near}?`;
    const nothing = `No query of ${path} reads ${table}.${hint}`;
    return {
      code: isGiven ? 0 : 1,
      json: { rules: rules.map((rule) => jsonOf(rule, config)) },
      lines:
        rules.length === 0
          ? [nothing]
          : rules.flatMap((rule) => [
              `${paint.bold(rule.stream)} ${paint.dim(config.placeOf(rule.stream, rule.at))}`,
              ...sentencesOf(rule, config).map((sentence) => `  ${harmless(sentence)}`),
            ]),
    };
  },
});

function sentencesOf(rule: RuleTrace, config: TracedConfig): readonly string[] {
  const { rows, entries, mismatch, stream } = rule;
  const where = mismatch && config.at(stream, mismatch).sql;
  switch (rule.outcome) {
    case 'given':
      return [
        ...rows.map(({ bucket, table, data }) => `goes to ${bucket} as ${table} ${data}`),
        ...entries.map(({ values }) =>
          values.length === 0
            ? 'is not synced itself: the stream only checks that it exists'
            : `reaches no device itself: the stream looks it up, and finds ${values.map(valueText).join(', ')} by it`,
        ),
      ];
    case 'no element':
      return ['has no element for the table function of this query'];
    case 'failed':
      return [`fails with ${rule.failure?.code} at ${where}`];
    case 'no key':
      return [`goes nowhere: ${where} is NULL, or no value that can name a bucket`];
    case 'filtered':
      return [`goes nowhere: ${where} does not hold${readings(rule)}`];
  }
}

/** What the condition read: `, with .archived = 1` */
function readings({ combinations }: RuleTrace): string {
  const condition = combinations[0]?.conditions.find(({ holds }) => !holds);
  const values = condition?.values.map(({ text, value }) => `${text} = ${valueText(value)}`) ?? [];
  return values.length === 0 ? '' : `, with ${values.join(', ')}`;
}

function jsonOf(rule: RuleTrace, config: TracedConfig): object {
  const { stream, side, outcome, mismatch, failure, rows, entries } = rule;
  return {
    stream,
    side,
    outcome,
    place: config.placeOf(stream, rule.at),
    ...(mismatch && {
      mismatch: config.at(stream, mismatch).sql,
      mismatchPlace: config.placeOf(stream, mismatch),
    }),
    ...(failure && { failure: failure.code }),
    rows: rows.map(({ bucket, table, id, data }) => ({
      bucket,
      table,
      id,
      data: JSON.parse(data) as unknown,
    })),
    lookups: entries.map(({ key, values }) => ({ key, values: values.map(jsonValue) })),
  };
}
