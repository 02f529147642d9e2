/** The SQL texts of a definition. */
import type { Definition, SqlText } from './definition.ts';

/** Returns the texts of a definition, including those of its CTEs. */
export function textsOf(definition: Definition): readonly SqlText[] {
  const ctes = definition.kind === 'stream' ? definition.ctes : [];
  return [...ctes.map(({ query }) => query), ...queriesOf(definition)];
}

/** Returns the queries of a definition, without CTEs. */
export function queriesOf(definition: Definition): readonly SqlText[] {
  switch (definition.kind) {
    case 'stream':
      return definition.queries;
    case 'bucket-definition':
      return [...(definition.parameters ?? []), ...definition.data];
    case 'event':
      return definition.payloads;
  }
}
