/** Resolves a config into one plain value, in which each `!env` is replaced by the value of its environment variable. */
import type { Analysis } from '../../engine/index.ts';
import type { PlacedProblem } from './problem.ts';

export type Places = NonNullable<Analysis['service']>['places'];
type Place = Places extends ReadonlyMap<string, infer P> ? P : never;
type Variable = NonNullable<Place['variable']>;

type Environment = Readonly<Record<string, string | undefined>>;

interface ResolvedValues {
  readonly value: unknown;
  /** The problems of all variables that cannot be used. */
  readonly problems: readonly PlacedProblem[];
}

export function resolveValues(places: Places, env: Environment): ResolvedValues {
  const problems: PlacedProblem[] = [];
  const values = new Map<string, unknown>();
  // A parent always precedes its children.
  for (const place of places.values()) {
    const found = read(place, env);
    if (found.problem !== undefined) problems.push({ offset: place.span.start, sentence: found.problem });
    values.set(place.pointer, found.value);
    put(values, place.pointer, found.value);
  }
  return { value: values.get(''), problems };
}

interface ReadValue {
  readonly value: unknown;
  readonly problem?: string | undefined;
}

function read(place: Place, env: Environment): ReadValue {
  const { node, variable } = place;
  if (variable !== undefined) return readVariable(variable, env);
  switch (node.kind) {
    case 'map':
      // A key may have any name, even `__proto__`.
      return { value: Object.create(null) };
    case 'sequence':
      return { value: [] };
    case 'scalar':
      return { value: typeof node.value === 'bigint' ? Number(node.value) : node.value };
    case 'alias':
      return {
        value: null,
        problem: 'This alias cannot be resolved, because the file has too many aliases.',
      };
  }
}

function readVariable({ name, type }: Variable, env: Environment): ReadValue {
  const text = Object.hasOwn(env, name) ? env[name] : undefined;
  if (text === undefined) return { value: null, problem: `The environment variable ${name} is not set.` };
  switch (type) {
    case 'number': {
      const value = Number(text);
      return { value, problem: Number.isNaN(value) ? `The value of ${name} is not a number.` : undefined };
    }
    case 'boolean': {
      const word = text.toLowerCase();
      const isKnown = word === 'true' || word === 'false';
      return {
        value: word === 'true',
        problem: isKnown ? undefined : `The value of ${name} is neither true nor false.`,
      };
    }
    default:
      return { value: text };
  }
}

function put(values: ReadonlyMap<string, unknown>, pointer: string, value: unknown): void {
  const slash = pointer.lastIndexOf('/');
  if (slash === -1) return;
  const parent = values.get(pointer.slice(0, slash));
  const key = pointer
    .slice(slash + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  if (Array.isArray(parent)) parent[Number(key)] = value;
  // The parent is not a map if a key occurs twice, once with a single value. That problem is reported, so this value is dropped.
  else if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[key] = value;
}
