/** Completes a query, judged by the words before the cursor. */
import type { Analysis } from '../../engine/index.ts';
import type { SqlPlace } from '../reading/sqlAt.ts';
import { comparedColumn, likelyValues, offerValues, valuesOf } from './compared.ts';
import { completeColumns, completeMembers } from './completeColumns.ts';
import { completeFunctions, completeRequest } from './completeFunctions.ts';
import { completeSets, completeTables } from './completeTables.ts';
import type { Completion, CompletionKind } from './item.ts';
import { completeKeywords } from './keywords.ts';
import { completeParameters } from './parameters.ts';
import {
  joinedTables,
  keyConditions,
  memberships,
  ownConditions,
  restsOfQuery,
  wholeQueries,
} from './relatedSql.ts';
import { type SqlContext, sqlContext } from './sqlContext.ts';
import type { CompletionWorld } from './world.ts';

export function completeSql(
  analysis: Analysis,
  place: SqlPlace,
  offset: number,
  world: CompletionWorld,
): readonly Completion[] {
  const context = sqlContext(analysis, place, offset, world);
  if (isUnasked(context)) return [];
  const found = completeExpected(context);
  return context.isQuoted ? found.filter(({ kind }) => names.has(kind)) : found;
}

const names: ReadonlySet<CompletionKind> = new Set(['table', 'cte', 'column', 'schema', 'parameter']);

/** Whether to show no list. A user may type a space anywhere, so a list appears after it only where a name must follow. */
function isUnasked({ world, position }: SqlContext): boolean {
  if (world.typed === "'") return position.expected !== 'text';
  return world.typed === ' ' && position.expected !== 'value' && position.expected !== 'table';
}

function completeExpected(context: SqlContext): readonly Completion[] {
  const { position } = context;
  switch (position.expected) {
    case 'text':
      return completeText(context);
    case 'table':
      return position.qualifiers.length > 0
        ? completeTables(context)
        : [...joinedTables(context), ...completeTables(context), ...completeKeywords(context)];
    case 'value':
      return position.qualifiers.length > 0 ? completeMembers(context) : completeValues(context);
    case 'statement':
      return [...completeKeywords(context), ...wholeQueries(context)];
    case 'key':
      return completeParameters(context);
    default:
      return completeKeywords(context);
  }
}

/** Completes a string: the name of a parameter, or a possible value of a column. */
function completeText(context: SqlContext): readonly Completion[] {
  const column = context.position.calls.length === 0 ? comparedColumn(context) : undefined;
  const values = column ? valuesOf(context, column) : [];
  return values.length === 0 ? completeParameters(context) : offerValues(context, values, 'begun');
}

function completeValues(context: SqlContext): readonly Completion[] {
  const parameters = context.isQuoted ? [] : completeParameters(context);
  if (parameters.length > 0) return parameters;
  const compared = comparedColumn(context);
  const likely = compared
    ? [...likelyValues(context, compared), ...(compared.isList ? memberships(context, compared) : [])]
    : [...ownConditions(context), ...keyConditions(context), ...restsOfQuery(context)];
  const labels = new Set(likely.map(({ label }) => label));
  const others = [
    ...completeSets(context),
    ...completeColumns(context, compared),
    ...completeRequest(context),
    ...completeFunctions(context),
    ...completeKeywords(context),
  ];
  return [...likely, ...others.filter(({ label }) => !labels.has(label))];
}
