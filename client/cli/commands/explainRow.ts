import {
  type Absence,
  jsonValue,
  nearest,
  type RequestTrace,
  type RuleTrace,
  rowSentences,
  tableNamed,
} from '../../../server/engine/index.ts';
import { conditionWords } from '../../../server/shared/absenceWords.ts';
import { harmless } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import {
  adviceOnColumns,
  askGivenRows,
  type RequestCall,
  requestOptions,
  rowsOption,
} from '../preview/givenRows.ts';
import { locateSyncConfig } from '../project/syncConfig.ts';
import { readObject, readTraced, type TracedConfig } from '../tracing.ts';

export const explainRow = command({
  name: 'explain row',
  summary: 'Explain which buckets a row goes to, and why not to others',
  about: `Evaluates a row against a sync config, with the same code as the service. For each query that reads its table, it shows
which buckets the row goes to, or which condition excludes it. No service is needed.

With --user, --claims, --parameters or --subscribe, it explains why this client does not get the row: it lists each condition
of each query, with its result and the values on both sides. If queries look up other rows, provide these rows with --rows: for
each table all of them, or an empty list.

A bucket is named after its stream, the number of its query and the values of its parameters: lists|0["ada"].

Exit code 0: the row goes to a bucket, or the user gets it; 1: it does not; 2: the answer depends on rows that were not
provided.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    table: {
      value: 'TABLE',
      summary: 'The table of the row, optionally with its schema: lists or app.lists',
    },
    row: { value: 'JSON', summary: 'The row: \'{"id": "1"}\', or @FILE' },
    ...requestOptions,
    rows: rowsOption,
  },
  examples: [
    `explain row --table lists --row '{"id": "1", "owner_id": "ada"}' sync.yaml`,
    `explain row --table lists --row '{"id": "1", "owner_id": "ada"}' --user bob sync.yaml`,
  ],
  run: async (call) => {
    const { words, text, world, paint } = call;
    const [table, given] = [text('table'), text('row')];
    if (table === undefined || given === undefined)
      throw new CliFailure('Specify the row with --table TABLE and --row JSON.');
    const path = await locateSyncConfig(world, words[0]);
    const config = await readTraced(path, world);
    const row = await readObject(given, '--row', world);
    const rules = config.tracer.row(tableNamed(table, config), config.rowOf(row));
    const advice = adviceOnColumns(config, table, [row]);
    if (isForClient(call)) {
      const answers = await askGivenRows(call, path, config);
      if (rules.length > 0) {
        const answer = answerForUser(call, rules, answers, config);
        return { ...answer, advice: [...advice, ...answers.advice] };
      }
    }
    const near = nearest(table, config.tables);
    const hint = near === undefined || near === table ? '' : ` Did you mean ${near}?`;
    return {
      code: rules.some(({ rows }) => rows.length > 0) ? 0 : 1,
      advice,
      json: jsonValue({ rules: rules.map((rule) => jsonOf(rule, config)) }),
      lines: [
        ...(rules.length === 0 ? [`No query of ${path} reads ${table}.${hint}`] : []),
        ...rules.flatMap((rule) => {
          const sentences = rowSentences(rule, (at) => config.at(rule.stream, at).sql);
          const title = `${paint.bold(rule.stream)} ${paint.dim(config.placeOf(rule.stream, rule.at))}`;
          return [title, ...sentences.map((sentence) => `  ${harmless(sentence)}`)];
        }),
      ],
    };
  },
});

/** Whether the options describe a client. */
function isForClient({ text, texts }: Pick<RequestCall, 'text' | 'texts'>): boolean {
  const given = text('user') ?? text('claims') ?? text('parameters') ?? texts('subscribe')[0];
  if (given === undefined && text('rows') !== undefined)
    throw new CliFailure(
      '--rows provides the rows for the lookups of a client. Also describe the client with --user or --claims.',
    );
  return given !== undefined;
}

function answerForUser(
  { text, paint }: Pick<Call<'user' | 'rows'>, 'text' | 'paint'>,
  rules: readonly RuleTrace[],
  { request, isGiven }: Pick<Awaited<ReturnType<typeof askGivenRows>>, 'request' | 'isGiven'>,
  config: TracedConfig,
): Answer {
  const user = text('user') ?? 'the user';
  const isOpen = ({ kind, table }: Step): boolean =>
    kind === 'lookup' && (table === undefined || !isGiven(table));
  const absences = config.absencesOf(rules, withoutOpenLookups(request, isOpen));
  const verdict = verdictOn(rules, absences);
  const has = { has: true, lacks: false, unknown: null, 'only read': false }[verdict];
  return {
    code: has === null ? 2 : has ? 0 : 1,
    json: jsonValue({ has, absences: absences.map(absenceJson) }),
    lines: [
      harmless(verdicts[verdict](user)),
      ...absences.flatMap((absence) => [
        `${paint.bold(absence.stream)} ${paint.dim(config.placeAt(absence.marks[0]?.start ?? 0))}`,
        ...absence.conditions.map((condition) => {
          const { sign, sql, text: values } = conditionWords(condition, user, absence.stream);
          return `  ${harmless([sign, sql, values].filter((part) => part !== '').join(' '))}`;
        }),
      ]),
    ],
  };
}

type Step = RequestTrace['routes'][number]['steps'][number];

/** Removes each lookup in a table without given rows, and the steps after it, because its result is not known. */
function withoutOpenLookups({ routes, result }: RequestTrace, isOpen: (step: Step) => boolean): RequestTrace {
  return {
    result,
    routes: routes.map((route) => {
      const first = route.steps.findIndex(isOpen);
      return first < 0 ? route : { ...route, steps: route.steps.slice(0, first) };
    }),
  };
}

/** Whether the absence stays, whatever rows the tables without given rows have. Their conditions are unknown. */
function isCertain({ conditions }: Absence): boolean {
  return conditions.some(({ holds, code }) => holds === false || code !== undefined);
}

function verdictOn(rules: readonly RuleTrace[], absences: readonly Absence[]): keyof typeof verdicts {
  if (rules.every(({ side }) => side === 'lookup')) return 'only read';
  if (absences.length === 0) return 'has';
  return absences.every(isCertain) ? 'lacks' : 'unknown';
}

const verdicts = {
  has: (user: string) => `${user} gets this row.`,
  lacks: (user: string) => `${user} does not get this row.`,
  unknown: (user: string) => `Whether ${user} gets this row depends on other rows. Provide them with --rows.`,
  'only read': () => 'No query syncs this row. It is only looked up, to decide who gets other rows.',
};

function absenceJson(absence: Absence): object {
  const { stream, kind, conditions } = absence;
  return {
    stream,
    kind: isCertain(absence) ? kind : 'unknown',
    conditions: conditions.map(({ marks, table: _, ...condition }) => ({
      ...condition,
      sql: marks.map(({ sql }) => sql),
    })),
  };
}

function jsonOf(rule: RuleTrace, config: TracedConfig): object {
  const { stream, side, outcome, mismatch, failure, rows, entries } = rule;
  return {
    stream,
    side,
    outcome,
    place: config.placeOf(stream, rule.at),
    mismatch: mismatch && config.at(stream, mismatch).sql,
    mismatchPlace: mismatch && config.placeOf(stream, mismatch),
    failure: failure?.code,
    rows: rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as unknown })),
    lookups: entries.map(({ key, values }) => ({ key, values })),
  };
}
