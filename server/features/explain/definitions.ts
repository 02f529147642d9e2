/** Explains streams, bucket definitions and events: what clients get from them and what a client needs to get it. */
import type { Analysis, PlacedDefinition } from '../../engine/index.ts';
import { describeBuckets, textAt } from '../../engine/map/bucketWords.ts';
import { factsOf } from '../../engine/map/facts.ts';
import { brokenSentence, describeWays } from '../../engine/map/sentences.ts';
import type { OutputColumn, RowRule, StreamPlan, TablePattern } from '../../engine/plan/plan.ts';
import { type Risk, riskOf } from '../../engine/risk/risk.ts';
import { shift } from '../../engine/text/span.ts';
import { mentionsIn } from '../reading/mentions.ts';
import { paragraphs } from './explainFunctions.ts';
import { trustIn } from './parameters.ts';

export function explainDefinition(analysis: Analysis, placed: PlacedDefinition): string {
  const { definition, plan } = placed;
  return paragraphs(
    `**\`${definition.name}\`** · ${titleOf(placed)}`,
    plan && describeWays(factsOf(placed, undefined).ways).join(' '),
    plan && explainRisk(plan),
    plan && explainChecks(placed, plan),
    plan ? explainRows(plan) : definition.kind === 'event' ? undefined : brokenSentence,
    explainParameters(analysis, placed),
    explainBuckets(placed),
  );
}

function titleOf({ definition }: PlacedDefinition): string {
  switch (definition.kind) {
    case 'stream': {
      const how = definition.autoSubscribe ? 'no subscription required' : 'subscription required';
      return `stream, ${how}, priority ${definition.priority}`;
    }
    case 'bucket-definition':
      return `bucket definition, priority ${definition.priority ?? 3}`;
    case 'event':
      return 'event, raised for changed rows';
  }
}

function explainRows({ sources }: StreamPlan): string {
  const rows = new Set(sources.flatMap(({ rules }) => rules.map(explainRule)));
  return ['Syncs:', ...[...rows].map((row) => `- ${row}`)].join('\n');
}

/** Returns the source text of every condition that decides which users get which rows. */
function explainChecks(
  { texts }: PlacedDefinition,
  { routes, sources, lookups }: StreamPlan,
): string | undefined {
  const places = [
    ...routes.flatMap(({ keys, filter, steps }) => [
      ...[...keys, ...steps.flatMap((step) => (step.kind === 'lookup' ? step.inputs : []))].flat(),
      ...filter,
      ...steps.flatMap((step) => (step.kind === 'expand' ? step.filter : [])),
    ]),
    ...sources.flatMap(({ rules }) => rules.flatMap((rule) => rule.filter)),
    ...lookups.flatMap((lookup) => lookup.filter),
  ];
  const conditions = new Set(places.map(({ at }) => textAt(texts, at)).filter((text) => text !== ''));
  if (conditions.size === 0) return undefined;
  return ['Checks:', ...[...conditions].map((text) => `- \`${text.replaceAll(/\s+/g, ' ')}\``)].join('\n');
}

/** Describes who can get the rows, for each way in which rows reach clients, and whether any condition depends on the user. */
function explainRisk(plan: StreamPlan): string | undefined {
  const risks = plan.routes.map((route) => riskOf(route, plan));
  return [...new Set(risks.map(sentenceOfRisk))].join(' ') || undefined;
}

function sentenceOfRisk(risk: Risk): string {
  switch (risk.kind) {
    case 'everyone':
      return 'No condition compares a row with the user, so everyone can get it.';
    case 'signed in':
      return 'No condition compares a row with the user, so any signed-in user can get it.';
    case 'any group':
      return `No condition compares a row with the user, so any user found in \`${risk.table}\` can get it.`;
    case 'client':
      return 'The client alone chooses the rows.';
    case 'claim':
      return risk.writable === 'by the backend'
        ? `Access to a row depends on the claim \`${risk.claim}\` of the token.`
        : `Access to a row depends on the claim \`${risk.claim}\` of the token, but users can change this claim themselves.`;
    case 'group':
      return `A row is sent to the users that \`${risk.table}\` connects with it.`;
    case 'owner':
      return 'A row is sent to the user whose id it contains.';
  }
}

/** Describes a rule, for example: `tasks` from `public.todos`: all columns. */
function explainRule({ table, outputTable, columns }: RowRule): string {
  const source = `\`${patternText(table)}\``;
  const rows =
    outputTable === undefined || outputTable === table.name.text
      ? source
      : `\`${outputTable}\` from ${source}`;
  return `${rows}: ${columns.map(columnText).join(', ')}`;
}

function patternText({ schema, name }: TablePattern): string {
  const text = (part: typeof schema) => part.text + (part.wildcard ? '%' : '');
  return `${text(schema)}.${text(name)}`;
}

function columnText(column: OutputColumn): string {
  return column.kind === 'star' ? 'all columns' : `\`${column.name}\``;
}

function explainParameters(analysis: Analysis, { definition, part }: PlacedDefinition): string | undefined {
  const { start, end } = shift(definition.span, part.base);
  const names = new Map<string, string>();
  for (const { symbol, span } of mentionsIn(analysis))
    if (symbol.part && span.start >= start && span.end <= end)
      names.set(symbol.key, `- \`${symbol.name}\`: ${trustIn(symbol.part)}`);
  return names.size === 0 ? undefined : ['Values read from the request:', ...names.values()].join('\n');
}

function explainBuckets(placed: PlacedDefinition): string | undefined {
  const count = describeBuckets(placed);
  return count && `Buckets: ${count.label}.`;
}
