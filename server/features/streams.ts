/** The streams of a config to which a client can subscribe, with the names of the parameters that each stream reads. */
import { analyze } from '../engine/index.ts';
import { shift } from '../engine/text/span.ts';
import { mentionsIn } from './reading/mentions.ts';

interface Stream {
  readonly name: string;
  /** Whether clients get the stream without subscribing. */
  readonly isDefault: boolean;
  readonly parameters: readonly string[];
}

export function streamsIn(text: string): readonly Stream[] {
  const analysis = analyze(text, { kind: 'sync' });
  const mentions = mentionsIn(analysis).filter(({ symbol }) => symbol.part === 'subscription');
  return (analysis.config?.definitions ?? []).flatMap(({ definition, plan, part }): readonly Stream[] => {
    if (definition.kind !== 'stream') return [];
    const { start, end } = shift(definition.span, part.base);
    const read = mentions.filter(({ span }) => span.start >= start && span.end <= end);
    const parameters = [...new Set(read.map(({ symbol }) => symbol.name))];
    return [{ name: definition.name, isDefault: plan?.isDefault === true, parameters }];
  });
}
