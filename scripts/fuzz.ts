/**
 * `npm run fuzz`: compares the engine with the reference (test/differential/main.ts).
 * `npm run fuzz -- http|rsocket|bson|pgoutput|service-config|language-frames [SECONDS] [--seed N] [--input FILE] [--keep]`: sends
 * random input to the code that reads untrusted bytes (test/fuzz/). `--input` runs a single input again. `--keep` adds failing
 * inputs, and inputs with new coverage, to the corpus.
 */
import { parseArgs } from 'node:util';
import { targetNames } from '../test/fuzz/targets.ts';

const names: readonly string[] = targetNames;
const [name = 'engine', ...rest] = process.argv.slice(2);
if (names.includes(name)) {
  const { fuzzTarget } = await import('../test/fuzz/main.ts');
  process.exit(await fuzzTarget(name, optionsIn(rest)));
} else if (name === 'engine' || /^\d+$/.test(name)) {
  const { compareEngines } = await import('../test/differential/main.ts');
  process.exitCode = await compareEngines(...(name === 'engine' ? rest : [name, ...rest]).map(Number));
} else {
  console.error(`There is no ${name} to fuzz: write one of engine, ${names.join(', ')}.`);
  process.exitCode = 2;
}

function optionsIn(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      input: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const [seconds = '60'] = positionals;
  const { input, keep } = values;
  return { seconds: Number(seconds), seed: Number(values.seed), keep, ...(input !== undefined && { input }) };
}
