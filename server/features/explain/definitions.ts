/** Streams, bucket definitions and events: what clients get by them, and what they need for it. */
import type { Analysis, PlacedDefinition } from '../../engine/index.ts';
import { describeBuckets } from '../../engine/map/buckets.ts';
import { factsOf } from '../../engine/map/facts.ts';
import { brokenSentence, describeWays } from '../../engine/map/sentences.ts';
import type { OutputColumn, RowRule, StreamPlan, TablePattern } from '../../engine/plan/plan.ts';
import { shift } from '../../engine/text/span.ts';
import { mentionsIn } from '../reading/names.ts';
import { paragraphs } from './functions.ts';
import { trustIn } from './parameters.ts';

export function explainDefinition(analysis: Analysis, placed: PlacedDefinition): string {
  const { definition, plan } = placed;
  return paragraphs(
    `**\`${definition.name}\`** · ${titleOf(placed)}`,
    plan && describeWays(factsOf(placed, undefined).ways).join(' '),
    plan ? explainRows(plan) : definition.kind === 'event' ? undefined : brokenSentence,
    explainParameters(analysis, placed),
    explainBuckets(placed),
  );
}

function titleOf({ definition }: PlacedDefinition): string {
  switch (definition.kind) {
    case 'stream': {
      const how = definition.autoSubscribe ? 'needs no subscription' : 'for clients that subscribe to it';
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

/** Such as: `tasks` from `public.todos`: all columns. */
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
  return names.size === 0 ? undefined : ['Reads of the request:', ...names.values()].join('\n');
}

function explainBuckets(placed: PlacedDefinition): string | undefined {
  const count = describeBuckets(placed);
  return count && `Buckets: ${count.label}.`;
}
