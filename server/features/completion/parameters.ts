/** Completes names of parameters that this config or other configs of the workspace read. */
import type { Analysis } from '../../engine/index.ts';
import { partReadBy } from '../../engine/names/parameters.ts';
import { outputsOf } from '../../engine/names/visible.ts';
import { parametersRead } from '../reading/mentions.ts';
import type { Completion } from './item.ts';
import type { SqlContext } from './sqlContext.ts';

/** Completes names inside `auth.parameter('…')` and after `auth.parameters() ->>`, and adds quotes if there are none. */
export function completeParameters(context: SqlContext): readonly Completion[] {
  const { position, span } = context;
  const callee = position.arrowOf ?? position.calls.at(-1);
  const part = callee && partReadBy(callee.schema, callee.name);
  if (part === undefined) return [];
  const quote = position.expected === 'text' ? '' : "'";
  const known = namesOf(context, part);
  const column = part === 'subscription' ? columnBefore(context) : undefined;
  const likely = column === undefined || known.includes(column) ? known : [column, ...known];
  return likely.map((name) => ({
    label: name,
    kind: 'parameter',
    detail: part === 'auth' ? 'claim of the token' : 'chosen by the client',
    insert: context.insert([quote + name.replaceAll("'", "''") + quote]),
    span,
    rank: 0,
  }));
}

/** Returns the column before `= subscription.parameter('`, because a parameter often has the name of the column. */
function columnBefore({ place, position }: SqlContext): string | undefined {
  const before = place.text.slice(0, position.calls.at(-1)?.start ?? 0);
  return /(?:^|[\s.(])([A-Za-z_]\w*)\s*(?:=|\bin)\s*$/i.exec(before)?.[1];
}

/** Completes `bucket.x` with the columns that the parameter queries of the definition select. */
export function bucketParameters(context: SqlContext, qualifier: string): readonly Completion[] {
  const { place, reach, span } = context;
  if (qualifier !== 'bucket' || place.role !== 'data') return [];
  const definition = reach.definition?.definition;
  const queries = definition?.kind === 'bucket-definition' ? (definition.parameters ?? []) : [];
  const selects = queries.flatMap(({ sql }) => sql.statements.slice(0, 1));
  const names = new Set(
    selects.flatMap((select) =>
      select.kind === 'select' ? outputsOf(select, '', reach).map(({ name }) => name) : [],
    ),
  );
  return [...names].map((name) => ({
    label: name,
    kind: 'parameter',
    detail: 'parameter of the bucket',
    insert: context.insert([context.name(name)]),
    span,
    rank: 0,
  }));
}

/** Completes `token_parameters.x` and `user_parameters.x`. */
export function olderParameters(context: SqlContext, qualifier: string): readonly Completion[] {
  const { place, span } = context;
  if (place.role !== 'parameters') return [];
  const names =
    qualifier === 'token_parameters'
      ? ['user_id', ...namesOf(context, 'auth').filter((name) => name !== 'user_id' && name !== 'sub')]
      : qualifier === 'user_parameters'
        ? namesOf(context, 'connection')
        : [];
  return names.map((name) => ({
    label: name,
    kind: 'parameter',
    detail: qualifier === 'token_parameters' ? 'signed' : 'chosen by the client',
    insert: context.insert([context.name(name)]),
    span,
    rank: 0,
  }));
}

/** Returns the names, those of this file first, without the word that is being typed. */
function namesOf({ analysis, world, place, position }: SqlContext, part: string): readonly string[] {
  const names = new Set<string>();
  const add = (of: Analysis) => {
    for (const symbol of parametersRead(of)) if (symbol.part === part) names.add(symbol.name);
  };
  add(analysis);
  for (const other of world.others()) add(other);
  if (part === 'auth') names.add('sub');
  names.delete('');
  names.delete(place.text.slice(position.start, place.at));
  return [...names];
}
