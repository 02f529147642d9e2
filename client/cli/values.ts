/** YAML files of a project as values: `!env` stands for what the environment has. */
import { type Analysis, analyze, messageOf, positionsIn } from '../../server/engine/index.ts';
import { CliFailure } from './failure.ts';
import type { World } from './world.ts';

type Places = NonNullable<Analysis['service']>['places'];

export interface Values {
  /** By JSON pointer: `/api/tokens/0`. Undefined if there is none; throws if its variable is not set. */
  readonly text: (pointer: string) => string | undefined;
  readonly texts: (pointer: string) => readonly string[];
  /** The variable that the value comes from, if it comes from one. */
  readonly variable: (pointer: string) => string | undefined;
  readonly variablesBelow: (pointer: string) => readonly string[];
  readonly has: (pointer: string) => boolean;
  readonly count: (pointer: string) => number;
}

export function readValues(name: string, text: string, env: World['env']): Values {
  const yaml = text.replace(/^\ufeff/, '');
  const { service, findings } = analyze(yaml, { kind: 'service' });
  const wrong = findings.find(({ code }) => code.startsWith('yaml-'));
  if (wrong !== undefined) {
    const { line, character } = positionsIn(yaml)(wrong.span.start);
    throw new CliFailure(`${name}:${line + 1}:${character + 1} ${messageOf(wrong)}`);
  }
  const places: Places = service?.places ?? new Map();
  const has = (pointer: string): boolean => places.has(pointer);
  const valueAt = (pointer: string): string | undefined => textAt(name, places, pointer, env);
  const count = (pointer: string): number => {
    const node = places.get(pointer)?.node;
    return node?.kind === 'sequence' ? node.items.length : 0;
  };
  return {
    has,
    count,
    text: valueAt,
    variable: (pointer) => places.get(pointer)?.variable?.name,
    variablesBelow: (above) =>
      [...places].flatMap(([pointer, { variable }]) =>
        pointer.startsWith(above) && variable !== undefined ? [variable.name] : [],
      ),
    texts: (pointer) =>
      Array.from({ length: count(pointer) }, (_, index) => valueAt(`${pointer}/${index}`)).filter(
        (value) => value !== undefined,
      ),
  };
}

function textAt(name: string, places: Places, pointer: string, env: World['env']): string | undefined {
  const place = places.get(pointer);
  if (place?.node.kind !== 'scalar') return undefined;
  if (place.variable === undefined)
    return place.node.value === null || place.node.text === '' ? undefined : place.node.text;
  const value = env[place.variable.name];
  if (value === undefined || value === '')
    throw new CliFailure(
      `${name} takes \`${pointer.slice(1).replaceAll('/', '.')}\` from the variable ${place.variable.name}, which is not set.`,
    );
  return value;
}
