import { afterEach, describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { instrument } from '../../../scripts/mutants/instrument.ts';
import { mutantsOf, mutate, sampleOf } from '../../../scripts/mutants/mutants.ts';
import { sourcesIn } from '../../support/house/imports.ts';

const file = 'server/a.ts';

/** Placeholders of templates. */
const [a, b] = ['a', 'b'].map((name) => `$\{${name}}`);

/** Each mutant as the statement that it leaves. */
function mutations(text: string): readonly string[] {
  return mutantsOf(file, text).map((mutant) => mutate(text, mutant));
}

describe('mutants', () => {
  test.each<[string, readonly string[]]>([
    ['a < b;', ['a <= b;', 'a >= b;']],
    ['a === b;', ['a !== b;']],
    ['a + b * 3;', ['a - b * 3;', 'a + b / 3;']],
    ["a + 'b';", []],
    ['a ||= b;', ['a &&= b;', ';']],
    ['a += `b`;', [';']],
    ['a && b;', ['a;', 'b;']],
    ['x = (a || b) ?? c;', ['x = (a || b);', 'x = c;', 'x = (a) ?? c;', 'x = (b) ?? c;', ';']],
    ['f = () => a ?? { b };', ['f = () => a;', 'f = () => ({ b });', ';']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['x = a ? b : c;', ['x = true ? b : c;', 'x = false ? b : c;', ';']],
    ['while (a) ;', ['while (false) ;']],
    ['while (true) break;', ['while (true) ;']],
    ['x = !a;', ['x = a;', ';']],
    ['x = a.has(b);', ['x = !a.has(b);', ';']],
    ['x = !a.isEmpty();', ['x = a.isEmpty();', ';']],
    ['x = await isReady();', [';']],
    ['x = 0;', ['x = 1;', ';']],
    ['x = 1n;', ['x = 2n;', ';']],
    ['x = 3000;', [';']],
    ['x = y.toString(2);', [';']],
    ['x = true;', ['x = false;', ';']],
    ['x++;', ['x--;', ';']],
    ['x = a.filter(b).map(c);', ['x = a.map(c);', ';']],
    ['x = a.some((b) => b);', ['x = a.every((b) => b);', ';']],
    ['x = a?.b.filter(c);', [';']],
    ['x = f(a?.b, c.slice(d));', ['x = f(a?.b, c);', ';']],
    [`x = \`${a}:${b}\`;`, [`x = \`:${b}\`;`, `x = \`${a}:\`;`, ';']],
    [`x = \`${a} is ${b}\`;`, [';']],
    ['await f();', [';']],
    ['throw f();', [';']],
    ["log.info('b');", []],
    ['x = a as 1 | 2;', [';']],
    ['x = { a: 5, [b]: c };', [';']],
    ["import { a } from 'b';", []],
    ['type A = 1 | 2;', []],
  ])('of %s', (text, expected) => {
    expect([...mutations(text)].sort()).toEqual([...expected].sort());
  });

  test('have the line of what they change', () => {
    expect(mutantsOf(file, 'f(\n  a,\n  !b,\n);\n').map(({ line, before }) => [line, before])).toEqual([
      [1, 'f(\n  a,\n  !b,\n);'],
      [3, '!b'],
    ]);
  });

  test('of the product can be parsed', () => {
    const sources = sourcesIn('server/service/http/auth');
    const all = sources.flatMap(({ path, text }) =>
      mutantsOf(path, text).map((mutant) => mutate(text, mutant)),
    );
    expect(all.length).toBeGreaterThan(200);
    for (const text of all) parseAst(text, { lang: 'ts' });
  });
});

describe('a sample', () => {
  const texts = ['a', 'b', 'c', 'd'].map(
    (name) => [`server/${name}.ts`, `if (${name} < 1) f(!${name});`] as const,
  );
  const all = texts.flatMap(([path, text]) => mutantsOf(path, text));
  const keysOf = (sample: ReturnType<typeof sampleOf>) => sample.map(({ key }) => key);

  test('is the same for the same seed, whatever the order of the mutants', () => {
    const options = { seed: '7', count: 5 };
    expect(keysOf(sampleOf(all.toReversed(), options))).toEqual(keysOf(sampleOf(all, options)));
  });

  test('differs for another seed', () => {
    expect(keysOf(sampleOf(all, { seed: '8', count: 5 }))).not.toEqual(
      keysOf(sampleOf(all, { seed: '7', count: 5 })),
    );
  });

  test('keeps the mutants of code that moves', () => {
    const moved = texts.flatMap(([path, text]) => mutantsOf(path, `// A comment.\n\n${text}`));
    const options = { seed: '7', count: 5 };
    expect(keysOf(sampleOf(moved, options))).toEqual(keysOf(sampleOf(all, options)));
  });

  test('loses mutants only to new code', () => {
    const more = [...all, ...mutantsOf('server/new.ts', 'x = a < 2;')];
    const before = keysOf(sampleOf(all, { seed: '7', count: 10 }));
    const after = keysOf(sampleOf(more, { seed: '7', count: 10 }));
    expect(after.filter((key) => !key.startsWith('server/new.ts'))).toEqual(
      before.slice(0, after.filter((key) => !key.startsWith('server/new.ts')).length),
    );
  });
});

describe('an instrumented source', () => {
  afterEach(() => {
    globalThis.headwaterRecorder = undefined;
  });

  /** Calls a function of an instrumented module with this body. Returns its result, and the mutants that it reported. */
  function run(body: string, ...args: readonly unknown[]) {
    const module = `const run = (a, b) => { ${body} };`;
    const mutants = mutantsOf(file, module);
    const hits = new Set<number>();
    const depths: number[] = [];
    globalThis.headwaterRecorder = {
      hit: (mutant) => hits.add(mutant),
      evaluate: (step) => depths.push(step),
    };
    const evaluated = new Function(`${instrument(module, [...mutants.entries()])}\nreturn run;`)();
    const result: unknown = evaluated(...args);
    const executed = [...hits].sort((one, other) => one - other).map((number) => mutants[number]);
    return {
      result,
      executed: executed.map((mutant) => mutant && `${mutant.before} → ${mutant.after}`),
      depths,
    };
  }

  test('does the same, and reports what it executes', () => {
    const body = 'if (a > 1 && b > 1) { a += 1; } else b = 1; return a + b;';
    expect(run(body, 1, 5)).toEqual({
      result: 2,
      executed: [
        'a > 1 && b > 1 → a > 1',
        'a > 1 && b > 1 → b > 1',
        'a > 1 && b > 1 → true',
        'a > 1 && b > 1 → false',
        'a > 1 → a >= 1',
        'a > 1 → a <= 1',
        '1 → 2',
        'b = 1; → ;',
        '1 → 2',
        'a + b → a - b',
      ],
      depths: [1, -1],
    });
  });

  test.each<[string, unknown]>([
    ['for (let i = 0; i < 3; i++) { if (i === 1) continue; a.push(!b); } return a.length;', 2],
    ['return a.filter((x) => x > b).map((x) => x * 2).slice(1);', []],
    ['const f = (x) => x ?? { y: 1 }; return f(undefined).y;', 1],
    ['return a?.slice(0).length ?? b;', 0],
    [
      `switch (b) { case 1: return 0; case 2: break; default: throw new Error(); } return \`${a}:${b}\`;`,
      ':2',
    ],
  ])('keeps the meaning of %s', (body, result) => {
    expect(run(body, [], 2).result).toEqual(result);
  });

  test('reports the beginning and the end of the evaluation of its module', () => {
    expect(instrument('f();', [])).toMatch(
      /^globalThis\.headwaterRecorder\?\.evaluate\(1\);f\(\);\n;.*evaluate\(-1\);\n$/,
    );
  });
});
