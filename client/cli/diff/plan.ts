/** `deploy --plan`: asks the service what a deploy would do. */
import type { Api } from '../../api/api.ts';
import type { DeployPlan, PlannedStream, PlannedTable } from '../../api/plan.ts';
import type { Question } from '../../deploying/flow.ts';
import { overLimits } from '../../deploying/limits.ts';
import { pageLines, pageOf } from '../../deploying/page.ts';
import { rowsText } from '../../health/amounts.ts';
import { harmless } from '../colours.ts';
import type { Answer, Call } from '../command.ts';
import { factsBefore, unlessRefused } from '../deployFacts.ts';
import { withService } from '../instance.ts';
import type { CheckedFile } from '../validate/checkText.ts';

export function planDeploy(call: Call<'service' | 'directory' | 'rate'>, own: CheckedFile): Promise<Answer> {
  const { world } = call;
  return withService(call, async (api: Api): Promise<Answer> => {
    const { active, pending } = await api.diagnose({ content: true }, world.signal);
    const { review, source } = await factsBefore(api, own, active?.content, world);
    const questions = questionsFor(api, own.text, world.signal);
    const [plan, affected, forecast] = await Promise.all([
      questions.plan(),
      questions.affected(),
      questions.forecast(),
    ]);
    const question: Question = {
      review,
      source,
      plan,
      affected,
      forecast,
      rate: call.number('rate'),
      changedElsewhere: false,
      replacesPending: plan?.replacesPending ?? (pending !== undefined && pending.content !== own.text),
      hasDeployed: active !== undefined,
    };
    return {
      code: 0,
      json: { file: own.path, plan: plan ?? null, ...questionJson(question) },
      lines: [...(plan === undefined ? [untold] : []), ...pageLines(pageOf(question))].map(harmless),
    };
  });
}

/** Returns the questions to a service about a deploy. A deploy does not depend on an answer. */
export function questionsFor(api: Api, text: string, signal: AbortSignal) {
  return {
    plan: () => unlessRefused(api.plan(text, signal), signal),
    affected: () => unlessRefused(api.affectedUsers(text, signal), signal),
    // Users over a limit are reported, but do not stop a deploy.
    forecast: () => unlessRefused(api.forecastOf(text, undefined, signal), signal),
  };
}

/** Returns the answers for programs. */
export function questionJson({ affected, forecast }: Question): object {
  return {
    ...(affected && { affectedUsers: affected }),
    ...(forecast && { overLimits: overLimits(forecast) }),
  };
}

const untold =
  'This service does not report what a deploy would do. Services other than Headwater copy all tables with every deploy.';

export function planLines(plan: DeployPlan): readonly string[] {
  const { outcome, replacesPending, streams, tables } = plan;
  const width = Math.max(0, ...streams.map(({ name }) => name.length));
  return [
    ...(replacesPending ? ['The copy in progress is given up.'] : []),
    sentences[outcome],
    ...streams.map((stream) => `  ${stream.name.padEnd(width)}  ${describeStream(stream)}`),
    ...(tables.length === 0
      ? []
      : ['Tables to copy:', ...tables.map((table) => `  ${describeTable(table)}`)]),
  ];
}

const sentences: Readonly<Record<DeployPlan['outcome'], string>> = {
  nothing: 'Nothing changes: exactly this config is active.',
  at_once: 'The new config is active at once: no rows are copied, and clients keep their rows.',
  under_way: 'The copy in progress continues.',
  copy: 'The active config is served until the tables below are copied.',
};

const changes: Readonly<Record<PlannedStream['change'], string>> = {
  kept: 'unchanged',
  new: 'new',
  gone: 'no longer synced',
  rows: 'different rows or columns',
  access: 'different clients get it',
  delivery: 'only its priority or subscription changes',
};

function describeStream({ change, downloaded }: PlannedStream): string {
  return downloaded ? `${changes[change]}; clients download it` : changes[change];
}

function describeTable({ schema, name, rows }: PlannedTable): string {
  const about = rows === undefined ? 'number of rows unknown' : `about ${rowsText(rows)}`;
  return `${schema}.${name}: ${about}`;
}
