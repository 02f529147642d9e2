/** Random configs of all kinds that our engine accepts. */
import type { Random } from '../differential/random.ts';
import { configOf, ourErrors } from './engines.ts';
import { olderConfig, type RandomConfig } from './older.ts';
import { query } from './query.ts';

export function acceptedConfig(random: Random): RandomConfig {
  for (;;) {
    const config = random.chance(0.7) ? streamsConfig(random) : olderConfig(random);
    if (ourErrors(config.text).length === 0) return config;
  }
}

function streamsConfig(random: Random): RandomConfig {
  let count = 0;
  const queries = random.times(1, 3, () => query(random, `cte${count++}_`));
  return { text: configOf(queries.map((each) => [each])), streams: queries.length };
}
