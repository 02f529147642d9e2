/** An analysis that reuses parts of the previous one equals a full analysis, whatever the edits are. */
import { describe, expect, test } from 'vitest';
import { type Analysis, analyze } from '../../../server/engine/index.ts';
import { changeBetween } from '../../../server/engine/text/change.ts';
import { mentionsIn } from '../../../server/features/reading/mentions.ts';
import { type Random, randomFrom } from '../../differential/random.ts';
import { casesOf } from '../../support/house/share.ts';

/** The number of streams. They do not fit into one run, so that edits can create, remove and merge runs. */
const streams = 200;
const text = [
  'config:\n  edition: 3\nwith:\n  mine: SELECT id FROM lists WHERE owner = auth.user_id()\n',
  'streams:\n',
  ...Array.from({ length: streams }, (_, index) => streamNamed(`s${index}`, index)),
].join('');

function streamNamed(name: string, index: number): string {
  const columns = index % 7 === 0 ? 'id, name' : '*';
  const where = index % 5 === 0 ? '' : ' WHERE list IN mine';
  return `  ${name}:\n    query: SELECT ${columns} FROM t${index % 3}${where}\n`;
}

const scraps = [
  ...['x', '\n', ' ', '#', ': ', '"', '  a:\n', 'with:\n', '---\n', '\t\n', '? ', '\r', '\r\n'],
  ...['streams:\n', 'SELECT', ' OR true', '\n  # headwater-ignore missing-id\n', '<<<<<<< a\n'],
];

/** Applies a random edit: normally a small one, like typing, and sometimes one that adds, removes or moves a stream. */
function editOf(now: string, random: Random): string {
  const at = random.int(now.length);
  const kind = random.int(9);
  const lines = now.split('\n');
  const line = random.int(lines.length - 1);
  if (kind === 0) return lines.toSpliced(line, 2).join('\n');
  if (kind === 1)
    return lines.toSpliced(line, 0, ...streamNamed(`n${at}`, at).trimEnd().split('\n')).join('\n');
  if (kind === 2) {
    const moved = lines.slice(line, line + 2);
    return lines
      .toSpliced(line, 2)
      .toSpliced(random.int(lines.length - 3), 0, ...moved)
      .join('\n');
  }
  if (kind === 3) return now.slice(0, at) + now.slice(at + random.int(40));
  if (kind === 4) return text;
  return now.slice(0, at) + random.pick(scraps) + now.slice(at);
}

/** Returns everything observable in an analysis. Functions that compute places are called, and their results returned. */
function meaningOf({ kind, findings, config }: Analysis): unknown {
  return {
    kind,
    findings,
    parts: config?.parts.map(({ base, path, heading, reading }) => [base, path, heading, reading]),
    definitions: config?.definitions.map(({ part, definition, plan, texts }) => [
      part.base,
      JSON.stringify(definition, plain),
      JSON.stringify(plan, plain),
      texts.map(({ span, place }) => [span, place({ start: 1, end: 5 })]),
    ]),
  };
}

function namesIn(analysis: Analysis): unknown {
  return mentionsIn(analysis).map(({ symbol, role, span }) => [symbol.key, role, span]);
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

describe('An incremental analysis', () => {
  test.each([1, 2, 3])('equals a full analysis after each random edit (%i)', (seed) => {
    const random = randomFrom(seed);
    let now = text;
    let analysis = analyze(now, { fileName: 'sync.yaml' });
    for (let round = 0; round < casesOf(24); round += 1) {
      now = editOf(now, random);
      analysis = analyze(now, { fileName: 'sync.yaml', previous: analysis });
      const anew = analyze(now, { fileName: 'sync.yaml' });
      expect(meaningOf(analysis)).toEqual(meaningOf(anew));
      const { config } = analysis;
      expect(
        config?.runs.flatMap(({ definitions }) => definitions.map(({ definition }) => definition)),
      ).toEqual(config?.definitions.map(({ definition }) => definition));
      expect(namesIn(analysis)).toEqual(namesIn(anew));
    }
  });

  test('keeps all other runs when one stream changes', () => {
    const previous = analyze(text);
    const { config } = analyze(text.replace('  s150:', '  s150x:'), { previous });
    const kept = config?.runs.map((run) => previous.config?.runs.includes(run));
    expect(kept?.length).toBeGreaterThan(1);
    expect(kept?.filter((isKept) => !isKept)).toHaveLength(1);
  });
});

test.each<[string, string]>([
  ['', ''],
  ['a', 'a'],
  ['', 'abc'],
  ['abc', ''],
  ['aaa', 'aaaa'],
  ['abcd', 'abxcd'],
  ['x'.repeat(9_000), `${'x'.repeat(4_096)}y${'x'.repeat(4_904)}`],
  [`${'x'.repeat(5_000)}a${'y'.repeat(5_000)}`, `${'x'.repeat(5_000)}bc${'y'.repeat(5_000)}`],
])('The change between two texts covers exactly their difference', (before, now) => {
  const { start, endBefore, endNow } = changeBetween(before, now);
  expect(before.slice(0, start) + now.slice(start, endNow) + before.slice(endBefore)).toBe(now);
  const isMore = start < endBefore && start < endNow;
  expect(isMore && (before[start] === now[start] || before[endBefore - 1] === now[endNow - 1])).toBe(false);
});
