/** Random service configs. The engine in the editor and the service at its start must agree about each of them. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../scripts/root.ts';
import type { Finding } from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze, messageOf, severityOf } from '../../server/engine/index.ts';
import { loadSettings } from '../../server/service/config/load.ts';
import { ServiceError } from '../../server/service/ground/errors.ts';
import { type Random, randomFrom } from '../differential/random.ts';
import { changeBytes } from './bytes.ts';
import type { Outcome, Target } from './target.ts';

const files = globSync(['test/fixtures/service/*.yaml', 'examples/**/service.yaml'], {
  cwd: root,
}).toSorted();
const seeds = files.map((path) => readFileSync(join(root, path)));
const lines = seeds.flatMap((seed) => seed.toString().split('\n'));

/** Words that have a meaning somewhere in a service config. */
const words = [
  ...[
    'true',
    'false',
    'null',
    '~',
    '0',
    '-1',
    '70000',
    '1e999',
    '0x10',
    '.nan',
    '""',
    '[]',
    '{}',
    '[null]',
    '!env X',
  ],
  ...[
    '!env PS_PORT::number',
    '&a',
    '*a',
    '!!binary x',
    '|',
    '>',
    '? ',
    '- ',
    ': ',
    '#',
    '\t',
    '\ufeff',
    '\ud800',
    '"',
  ],
  ...[
    'postgresql',
    'mongodb',
    'embedded',
    'postgresql://u:p@h:5432/d',
    'verify-ca',
    'https://x/keys',
    'a'.repeat(300),
  ],
];

const placePattern = /^service\.yaml:\d+:\d+: /;

export const serviceConfig: Target = {
  name: 'service-config',
  seeds,
  mutate: (input, random) => {
    const text = input.toString();
    const changed = random.choose([
      [4, () => changeLines(text, random)],
      [4, () => putWord(text, random)],
      [1, () => changeBytes(input, random).toString()],
    ]);
    return Buffer.from(changed.slice(0, 20_000));
  },
  attempt: (input) => {
    const text = input.toString();
    return unsound(text) ?? unsound(text.slice(0, prefixOf(input))) ?? agreement(text);
  },
};

function changeLines(text: string, random: Random): string {
  const all = text.split('\n');
  const at = random.int(all.length);
  const count = random.int(4);
  const change = random.choose<() => void>([
    [2, () => () => void all.splice(at, count)],
    [2, () => () => void all.splice(at, 0, random.pick(lines))],
    [1, () => () => void all.splice(at, 0, ...all.slice(at, at + count))],
    [2, () => () => void all.splice(at, 1, `${' '.repeat(random.int(7))}${(all[at] ?? '').trim()}`)],
  ]);
  change();
  return all.join('\n');
}

/** Puts a word in the place of a token, or between two tokens. */
function putWord(text: string, random: Random): string {
  const tokens = text.match(/[\w./:-]+|\s+|[^\w\s]/g) ?? [];
  tokens.splice(random.int(tokens.length), random.int(2), random.pick(words));
  return tokens.join('');
}

function prefixOf(input: Buffer): number {
  return randomFrom(createHash('sha256').update(input).digest().readUInt32BE(0)).int(input.length + 1);
}

const withoutFiles = { exists: () => false };

/** Checks that each finding has a message and a place in the text. */
function unsound(text: string): Outcome | undefined {
  for (const finding of findingsIn(text)) {
    const { start, end } = finding.span;
    const isInside = 0 <= start && start <= end && end <= text.length;
    if (!isInside)
      return { feature: 'place', failure: `${finding.code} is at ${start}-${end} of ${text.length}` };
    const message = messageOf(finding);
    if (/undefined|\[object|NaN/.test(message))
      return { feature: 'sentence', failure: `${finding.code}: ${message}` };
  }
  return undefined;
}

function findingsIn(text: string): readonly Finding[] {
  return analyze(text, { kind: 'service', files: withoutFiles }).findings;
}

/** Sets every variable that the text names, to a value that fits the place where it is used most often. */
function environmentOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries((text.match(/\w+/g) ?? []).map((name) => [name, setTo(name)]));
}

function setTo(name: string): string {
  if (/JWKS/.test(name)) return 'https://id.example.com/keys';
  if (/URI/.test(name)) return 'postgresql://u:p@db.example.com:5432/app';
  return /EXIT/.test(name) ? 'true' : '5000';
}

function agreement(text: string): Outcome {
  const errors = findingsIn(text).filter(({ code }) => severityOf(code) === 'error');
  const refusals = refusalsOf(text);
  const codes = [...new Set(errors.map(({ code }) => code))].sort().join(' ');
  if (refusals.length === 0) {
    const [first] = errors;
    if (first === undefined) return { feature: `fine ${codes}` };
    return {
      feature: 'engine',
      failure: `the service takes what the engine refuses: ${first.code} ${messageOf(first)}`,
    };
  }
  const placeless = refusals.find((line) => !placePattern.test(line));
  if (placeless !== undefined) return { feature: 'place', failure: `no place is named: ${placeless}` };
  if (errors.length === 0) {
    const strange = refusals.find(
      (line) => !isOfVariable(text, line) && !onlyAtStart.some((one) => one.test(line)),
    );
    if (strange !== undefined)
      return { feature: 'service', failure: `the engine takes what the service refuses: ${strange}` };
  }
  return { feature: `refused ${codes} ${refusals.map(withoutNames).toSorted()[0]}` };
}

function refusalsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  try {
    loadSettings(
      {},
      {
        env: environmentOf(text),
        folder: '/w',
        readFile: (path) => (basename(path) === 'service.yaml' ? bytes : undefined),
        exists: (path) => basename(path) === 'service.yaml',
        real: (path) => path,
        firstLinkIn: () => undefined,
      },
    );
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [heading = '', ...problems] = error.message.split('\n');
    return (problems.length === 0 ? [heading] : problems).map((line) => line.trim());
  }
}

/** Whether a refusal is about a variable, whose value the engine does not know. */
function isOfVariable(text: string, refusal: string): boolean {
  const line = Number(/^service\.yaml:(\d+):/.exec(refusal)?.[1] ?? 0);
  return text.split(/\r\n|\r|\n/)[line - 1]?.includes('!env') ?? false;
}

function withoutNames(line: string): string {
  return line.replace(placePattern, '').replaceAll(/`[^`]*`|"[^"]*"|\d+/g, '…');
}

/** Patterns of refusals that only the start of the service can find. */
const onlyAtStart: readonly RegExp[] = [
  // The file may be meant for another service, so the editor only gives a hint.
  /This service does not run /,
];
