/** Counts names, circular imports and sizes of folders in the tree. Reads only the text of the files. */
import { posix } from 'node:path';
import type { Source } from './imports.ts';

const declaration =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const reexport = /^export (?:type )?\{([^}]*)\}/gm;
const importing = /^(?:import|export) (type )?(?:\{([^}]*)\}|[^;'"]*?) ?from '([^']+)'/gm;
const dynamic = /\bimport\('([^']+)'\)/g;

/** Returns the names that a file exports and defines. */
export function namesDefinedIn({ text }: Source): readonly string[] {
  return [...new Set([...text.matchAll(declaration)].map(([, name = '']) => name))];
}

/** Returns the names that several files define, with the files. */
export function namesDefinedTwice(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const source of sources)
    for (const name of namesDefinedIn(source)) files.set(name, [...(files.get(name) ?? []), source.path]);
  return new Map([...files].filter(([, paths]) => paths.length > 1));
}

/** Returns `path: name` for each exported name that no other file imports, not even a test. */
export function unusedExports(defining: readonly Source[], using: readonly Source[]): readonly string[] {
  const taken = new Set<string>();
  const takenWhole = new Set<string>();
  for (const { path, text } of using) {
    for (const [, , names, from = ''] of text.matchAll(importing)) {
      const target = fileOf(path, from);
      if (names === undefined) takenWhole.add(target);
      else for (const name of namesIn(names)) taken.add(`${target}: ${name}`);
    }
    for (const [, from = ''] of text.matchAll(dynamic)) takenWhole.add(fileOf(path, from));
  }
  return defining
    .filter(({ path }) => !takenWhole.has(path))
    .flatMap((source) =>
      [...namesDefinedIn(source), ...handedOn(source)].map((name) => `${source.path}: ${name}`),
    )
    .filter((name) => !taken.has(name));
}

function handedOn({ text }: Source): readonly string[] {
  return [...text.matchAll(reexport)].flatMap(([, names = '']) =>
    names.split(',').flatMap(
      (name) =>
        name
          .trim()
          .split(/ as |^type /)
          .at(-1) || [],
    ),
  );
}

/** Returns the imported names as the other file defines them. */
function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')[0] || [],
  );
}

function fileOf(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

/** Returns the groups of files that import each other in a circle. */
export function circles(
  sources: readonly Source[],
  kind: 'values' | 'values and types',
): readonly string[][] {
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map(
    sources.map((source) => [source.path, importsOf(source, kind).filter((path) => known.has(path))]),
  );
  return strongComponents(graph).filter((files) => files.length > 1);
}

function importsOf({ path, text }: Source, kind: 'values' | 'values and types'): readonly string[] {
  const found = [...text.matchAll(importing)].flatMap(([, type, names, from = '']) => {
    const onlyTypes = type !== undefined || names?.split(',').every((name) => /^\s*(?:type .*)?$/.test(name));
    return kind === 'values' && onlyTypes ? [] : [from];
  });
  return [...found, ...[...text.matchAll(dynamic)].map(([, from = '']) => from)].map((from) =>
    fileOf(path, from),
  );
}

/** Returns groups of files that all reach each other. This is Tarjan's algorithm. */
function strongComponents(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const components: string[][] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    let low = number;
    numbers.set(file, number);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, numbers.get(next) ?? low);
    }
    lowest.set(file, low);
    if (low === number) components.push(open.splice(open.indexOf(file)).sort());
    return low;
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return components;
}

/** Returns the number of files in each folder, without its subfolders. */
export function folderSizes(sources: readonly Source[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { path } of sources) {
    const folder = posix.dirname(path);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return sizes;
}
