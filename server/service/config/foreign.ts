/** Refuses types of databases that only other services support, before any other problem is reported. */
import { runnableTypes } from '../../engine/index.ts';
import type { PlacedProblem } from './problem.ts';
import type { Places } from './values.ts';

type Use = keyof typeof runnableTypes;

export function refuseForeign(places: Places): readonly PlacedProblem[] {
  return [...places.values()].flatMap(({ pointer, node, variable, span }) => {
    const use = useAt(pointer);
    if (use === undefined || variable !== undefined || node.kind !== 'scalar') return [];
    if (typeof node.value !== 'string' || runnableTypes[use].includes(node.value)) return [];
    return [{ offset: span.start, sentence: explainForeign(use, node.text) }];
  });
}

const sentenceParts: Readonly<Record<Use, { readonly subject: string; readonly instead: string }>> = {
  connection: { subject: 'connections', instead: '' },
  storage: {
    subject: 'a storage',
    instead: ' Write two lines instead: `storage:` and, below, `type: embedded`.',
  },
};

/** Explains a type that this service does not support, even if it comes from the environment. */
export function explainForeign(use: Use, type: string): string {
  const { subject, instead } = sentenceParts[use];
  const types = new Intl.ListFormat('en').format(runnableTypes[use].map((each) => `\`${each}\``));
  return `This service does not run ${subject} of type \`${type}\`, only ${types}.${instead}`;
}

function useAt(pointer: string): Use | undefined {
  if (/^\/replication\/connections\/\d+\/type$/.test(pointer)) return 'connection';
  return pointer === '/storage/type' ? 'storage' : undefined;
}
