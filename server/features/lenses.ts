/** What can be done with a whole sync config, offered above its first key. */
import type { Analysis } from '../engine/index.ts';
import type { Span } from '../engine/text/span.ts';
import { treeOf } from './reading/tree.ts';

interface Lens {
  readonly span: Span;
  readonly title: string;
  readonly command: LensCommand;
}

/** In the order in which they are shown. The client brings the commands. */
const lensCommands = {
  'headwater.deploy': 'Deploy',
  'headwater.validateOnService': 'Validate on service',
  'headwater.compareWithDeployed': 'Compare with deployed',
} as const;

type LensCommand = keyof typeof lensCommands;

/** `commands` are those that the client has. */
export function lenses(analysis: Analysis, commands: readonly string[]): readonly Lens[] {
  const [first] = treeOf(analysis);
  if (analysis.kind !== 'sync' || !first) return [];
  const span = first.key?.span ?? first.span;
  return (Object.keys(lensCommands) as LensCommand[])
    .filter((command) => commands.includes(command))
    .map((command) => ({ span, command, title: lensCommands[command] }));
}
