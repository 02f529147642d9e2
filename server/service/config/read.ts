/**
 * Reads a config text into plain values. The engine checks structure and types, so that the editor and the service report the
 * same problems; `decode.ts` interprets the values.
 */
import { resolve } from 'node:path';
import { type Analysis, analyze, messageOf, positionsIn, severityOf } from '../../engine/index.ts';
import { ServiceError } from '../ground/errors.ts';
import type { ConfigSource } from './discover.ts';
import { refuseForeign } from './foreign.ts';
import type { PlacedProblem, Problem } from './problem.ts';
import { rootSection, type Section } from './section.ts';
import { type Places, resolveValues } from './values.ts';

interface ReadConfig {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** The values, which are valid only if there are no problems. Decoding them adds further problems to the given list. */
  readonly root: (problems: Problem[]) => Section;
}

interface ReadWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
}

/** The codes of structural errors. Other errors are found when a value is decoded, because only then its variable is known. */
const structural =
  /^(yaml-|env-|service-(missing-key|missing-value|wrong-type|unknown-value|unknown-alias)$)/;

const aboutTheFile = /^(service-|unknown-tag$|unstable-storage-version$)/;

/** The codes of advice for authors of a config. Users of a config do not need it. */
const ofNoConcern: ReadonlySet<string> = new Set([
  'service-missing-storage',
  'service-literal-secret',
  'service-private-key',
]);

export function readConfig(source: ConfigSource, world: ReadWorld): ReadConfig {
  const analysis = analyzeSource(source, world);
  const places: Places = analysis.service?.places ?? new Map();
  const at = placesIn(source, analysis.text, places);
  const { value, problems } = resolveValues(places, world.env);
  const foreign = refuseForeign(places);
  const found = analysis.findings.filter(({ code }) => structural.test(code)).map(problemOf);
  return {
    problems: inOrder([...foreign, ...found, ...problems]).map(({ offset, sentence }) => ({
      place: at(offset),
      sentence,
    })),
    warnings: analysis.findings
      .filter(
        ({ code }) => severityOf(code) === 'warning' && aboutTheFile.test(code) && !ofNoConcern.has(code),
      )
      .map((finding) => ({ place: at(finding.span.start), sentence: messageOf(finding) })),
    root: (later) =>
      rootSection({
        value,
        problems: later,
        placeOf: (pointer) => {
          const place = places.get(pointer);
          return place && at(place.span.start);
        },
      }),
  };
}

/** Analyses the config. Most JSON is also valid YAML. If it is not (tabs, duplicate keys), places refer to the reformatted JSON. */
function analyzeSource({ text, format, folder, origin }: ConfigSource, world: ReadWorld): Analysis {
  const files = { exists: (path: string) => world.exists(resolve(folder, path)) };
  const analysis = analyze(text, { kind: 'service', files });
  if (format === 'yaml') return analysis;
  const isBroken = analysis.findings.some(({ code }) => code.startsWith('yaml-'));
  if (format === 'either' && !isBroken) return analysis;
  const plain = plainJson(text);
  if (plain !== undefined) return isBroken ? analyze(plain, { kind: 'service', files }) : analysis;
  if (format === 'either') return analysis;
  throw new ServiceError('SVC_S3201', `${origin} is not JSON. For YAML its name must end with .yaml.`);
}

function plainJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

function placesIn(
  { name, places: told = {} }: ConfigSource,
  text: string,
  places: Places,
): (offset: number) => string {
  const positionOf = positionsIn(text);
  const elsewhere = new Map(
    [...places].flatMap(([pointer, { keySpan, span }]) => {
      const place = told[pointer];
      return place === undefined ? [] : [keySpan, span].map(({ start }) => [start, place] as const);
    }),
  );
  return (offset) => {
    const place = elsewhere.get(offset);
    if (place !== undefined) return place;
    const { line, character } = positionOf(offset);
    return `${name}:${line + 1}:${character + 1}`;
  };
}

function problemOf(finding: Analysis['findings'][number]): PlacedProblem {
  return { offset: finding.span.start, sentence: messageOf(finding) };
}

/** Returns the problems in order, and only the first one at each place. */
function inOrder(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  const first = new Map<number, PlacedProblem>();
  for (const problem of problems) if (!first.has(problem.offset)) first.set(problem.offset, problem);
  return [...first.values()].sort((a, b) => a.offset - b.offset);
}
