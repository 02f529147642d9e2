/** Describes a sync config, stream by stream: which users get which rows, and in how many buckets. */
import type { Analysis } from '../../engine/index.ts';
import { explainDefinition } from '../explain/definitions.ts';

interface StreamDescription {
  readonly name: string;
  readonly sentences: string;
  readonly queries: readonly string[];
}

export function describeStreams(analysis: Analysis): readonly StreamDescription[] {
  const { config } = analysis;
  return (config?.definitions ?? []).map((placed) => ({
    name: placed.definition.name,
    // The first paragraph repeats the name, so it is removed.
    sentences: explainDefinition(analysis, placed).replace(/^\*\*.*?\*\* · /, ''),
    queries: placed.texts.map(({ sql }) => sql.text.trim()),
  }));
}
