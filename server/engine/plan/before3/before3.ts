/** Compiles definitions from before edition 3 to plans: bucket definitions, preview streams, and events, which have no plan. */
import type { ConfigSurroundings, Definition, Reporter, SqlText } from '../../model/definition.ts';
import type { Select } from '../../sql/ast.ts';
import type { StreamPlan } from '../plan.ts';
import { compileBucketDefinition } from './definition.ts';
import { compileEvent } from './event.ts';
import { compileAlphaStream } from './streams/alphaStream.ts';
import type { QueryTable } from './table.ts';

export interface CompiledBefore3 {
  /** Absent after an error, and for an event. */
  readonly plan?: StreamPlan | undefined;
  /** The texts that the plan's origins refer to by index. */
  readonly texts: readonly SqlText[];
  /** The readable queries. */
  readonly queries: readonly QueryBefore3[];
}

interface QueryBefore3 {
  /** The index of the text. */
  readonly text: number;
  readonly select: Select;
  readonly role: 'synced before 3' | 'parameters' | 'event';
  readonly table?: QueryTable | undefined;
}

export function compileBefore3(
  definition: Definition,
  surroundings: ConfigSurroundings,
  reporter: Reporter,
): CompiledBefore3 {
  switch (definition.kind) {
    case 'stream': {
      const { plan, texts, queries } = compileAlphaStream(definition, surroundings, reporter);
      return { plan, texts, queries: inRole('synced before 3', queries) };
    }
    case 'bucket-definition': {
      const { plan, texts, parameters, data } = compileBucketDefinition(definition, surroundings, reporter);
      const queries = [...inRole('parameters', parameters), ...inRole('synced before 3', data)];
      return { plan, texts, queries };
    }
    case 'event': {
      const { texts, queries } = compileEvent(definition, surroundings, reporter);
      return { texts, queries: inRole('event', queries) };
    }
  }
}

function inRole(role: QueryBefore3['role'], queries: readonly Omit<QueryBefore3, 'role'>[]): QueryBefore3[] {
  return queries.map(({ text, select, table }) => ({ text, select, role, table }));
}
