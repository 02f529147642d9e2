/** The lenses above lines: commands for an entire sync config, and the number of uses of a name. */
import type { Analysis } from '../engine/index.ts';
import type { NameSymbol } from '../engine/names/symbols.ts';
import type { Span } from '../engine/text/span.ts';
import { mentionsIn } from './reading/mentions.ts';
import { treeOf } from './reading/tree.ts';

interface Lens {
  readonly span: Span;
  readonly title: string;
  readonly command: LensCommand;
}

/** The commands in display order. The client implements them. */
const lensCommands = {
  'headwater.deploy': 'Deploy',
  'headwater.validateOnService': 'Validate on service',
  'headwater.compareWithDeployed': 'Compare with deployed',
} as const;

type LensCommand = keyof typeof lensCommands;

/** @param commands the commands that the client implements */
export function lenses(analysis: Analysis, commands: readonly string[]): readonly Lens[] {
  const [first] = treeOf(analysis);
  if (analysis.kind !== 'sync' || !first) return [];
  const span = first.key?.span ?? first.span;
  return (Object.keys(lensCommands) as LensCommand[])
    .filter((command) => commands.includes(command))
    .map((command) => ({ span, command, title: lensCommands[command] }));
}

/** Returns the declared names whose uses can be counted above them. Only access tests use a stream. */
export function countedNames(
  analysis: Analysis,
  kinds: readonly ('cte' | 'stream')[],
): readonly { readonly span: Span; readonly symbol: NameSymbol }[] {
  return mentionsIn(analysis).filter(
    ({ role, symbol: { kind } }) => role === 'declaration' && kinds.some((counted) => counted === kind),
  );
}
