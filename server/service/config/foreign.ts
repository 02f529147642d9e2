/** Databases that other services run and this one does not: refused by name, before anything else is said of them. */
import type { PlacedProblem } from './problem.ts';
import type { Places } from './values.ts';

const run = ['embedded', 'postgresql'];

export const namelessStorage = 'a storage';

export function refuseForeign(places: Places): readonly PlacedProblem[] {
  return [...places.values()].flatMap(({ pointer, node, variable, span }) => {
    const what = whatIsAt(pointer);
    if (what === undefined || variable !== undefined || node.kind !== 'scalar') return [];
    if (typeof node.value !== 'string' || run.includes(node.value)) return [];
    return [{ offset: span.start, sentence: explainForeign(what, node.text) }];
  });
}

/** Also for a type that comes from the environment. */
export function explainForeign(what: string, type: string): string {
  const instead =
    what === namelessStorage ? ' Write two lines instead: `storage:` and, below, `type: embedded`.' : '';
  return `This service does not run ${what} of type \`${type}\`, only \`embedded\` and \`postgresql\`.${instead}`;
}

function whatIsAt(pointer: string): string | undefined {
  if (/^\/replication\/connections\/\d+\/type$/.test(pointer)) return 'connections';
  return pointer === '/storage/type' ? namelessStorage : undefined;
}
