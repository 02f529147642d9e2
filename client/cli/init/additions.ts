/** Adds missing lines to existing files, and changes nothing else in them. */
import { readVariables, type Variables } from '../../../server/shared/envText.ts';
import { CliFailure } from '../failure.ts';
import { packageName } from './packageName.ts';

/** An addition to a file. */
export interface Addition {
  readonly text: string;
  /** The names of the added parts. */
  readonly added: readonly string[];
}

/** Adds variables that have no value yet. Never changes an existing value. */
export function addVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
): Addition | undefined {
  const before = readVariables(text);
  const missing = Object.entries(variables).filter(([name]) => !before[name]);
  const addition = addLines(
    text,
    missing.map(([name, value]) => `${name}=${quoteValue(value)}`),
    missing.map(([name]) => name),
  );
  if (addition && !isSame(readVariables(addition.text), { ...before, ...Object.fromEntries(missing) }))
    throw new CliFailure(
      `Cannot add ${missing.map(([name]) => name).join(', ')} to .env, because a quote in it or in a value is not closed. Close it, or add the variables yourself.`,
    );
  return addition;
}

function isSame(one: Variables, other: Variables): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

/** Quotes a value if necessary. No program that reads such files treats the quotes as part of the value. */
function quoteValue(value: string): string {
  if (/^[\w.:/@%?&=+,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? "'";
  return `${quote}${value}${quote}`;
}

/** Adds missing patterns. Slashes at the beginning and the end of a pattern are ignored in the comparison. */
export function addPatterns(text: string, patterns: readonly string[]): Addition | undefined {
  const bare = (line: string): string => line.trim().replace(/^\/|\/$/g, '');
  const known = new Set(text.split('\n').map(bare));
  const missing = patterns.filter((pattern) => !known.has(bare(pattern)));
  return addLines(text, missing, missing);
}

function addLines(text: string, lines: readonly string[], added: readonly string[]): Addition | undefined {
  if (lines.length === 0) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`;
  return { text: `${before}${lines.join(end)}${end}`, added };
}

/**
 * Adds scripts to a package that has this program as a dependency. In other packages the scripts could not run, and a user who
 * searched for the program by name might install a different one. Returns undefined also if the text is not the JSON of a
 * package.
 */
export function addScripts(text: string, scripts: Readonly<Record<string, string>>): Addition | undefined {
  const manifest = readObject(text);
  if (manifest === undefined || !hasDependency(manifest, packageName)) return undefined;
  const before = manifest.scripts ?? {};
  if (typeof before !== 'object' || Array.isArray(before)) return undefined;
  const missing = Object.entries(scripts).filter(([name]) => !Object.hasOwn(before, name));
  if (missing.length === 0) return undefined;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const changed = { ...manifest, scripts: { ...before, ...Object.fromEntries(missing) } };
  const written = JSON.stringify(changed, undefined, indent);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const last = text.endsWith('\n') ? '\n' : '';
  return { text: `${written}${last}`.replaceAll('\n', end), added: missing.map(([name]) => name) };
}

function hasDependency(manifest: Readonly<Record<string, unknown>>, name: string): boolean {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some((key) => {
    const listed = manifest[key];
    return typeof listed === 'object' && listed !== null && Object.hasOwn(listed, name);
  });
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
