/**
 * `npm run hostile -- NAME … SECONDS`: attacks on a real service, one after the other, for this many seconds each (600 by default),
 * or `all` of them, 60 seconds each. Prints a Markdown table; a line appears as soon as its attack is over, and its failures
 * appear on standard error. The next attack begins even if one fails. Ends with 1 if a service ended, needed more memory or
 * answered later than it should, or did not serve a client with a token.
 *
 * `--clients 5000` and `--sockets 100000` set the size of attacks that need clients or very many sockets.
 *
 * Each attack has its own service. The idle server does nothing and is probed at the same time; the ratio compares the two 99th
 * percentiles. Twenty clients stay connected during the whole attack, and others connect meanwhile.
 */
import { parseArgs } from 'node:util';
import { openArena } from './arena.ts';
import { type AttackName, attackNames, attackOf, isAttackName } from './attacks/index.ts';
import { favoured } from './beside.ts';
import { failuresIn, type HostileReport } from './report.ts';
import { runHostile, usualSize } from './run.ts';
import { heading, lineOf, lineWithout } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clients: { type: 'string' }, sockets: { type: 'string' } },
});
const isNumber = (text: string): boolean => /^\d+$/.test(text);
const words = positionals.filter((word) => !isNumber(word));
const names = words.flatMap((word) => (word === 'all' ? attackNames : word)).filter(isAttackName);
const seconds = Number(positionals.find(isNumber) ?? (words.includes('all') ? 60 : 600));
const size = {
  clients: Number(values.clients ?? usualSize.clients),
  sockets: Number(values.sockets ?? usualSize.sockets),
};
const unknown = words.filter((word) => word !== 'all' && !isAttackName(word));
if (names.length === 0 || unknown.length > 0) {
  console.error(`Name some of these attacks: all, ${attackNames.join(', ')}`);
  process.exit(2);
}
console.log(heading);
let failed = 0;
for (const name of names) if (!(await holds(name))) failed += 1;
console.log(`\n${names.length - failed} of ${names.length} attacks hold.`);
process.exit(failed > 0 ? 1 : 0);

async function holds(name: AttackName): Promise<boolean> {
  let report: HostileReport;
  try {
    report = await runAlone(name);
  } catch (error) {
    console.log(lineWithout(name));
    console.error(`${name}: ${(error as Error).stack}`);
    return false;
  }
  console.log(lineOf(name, seconds, report));
  const failures = failuresIn(report);
  for (const sentence of new Set(failures.map((each) => each.sentence)))
    console.error(`${name}: ${sentence}`);
  return failures.length === 0;
}

/** Runs an attack on its own service. */
async function runAlone(attack: AttackName): Promise<HostileReport> {
  const { needs = {} } = attackOf(attack);
  const clients = needs.clients !== undefined && { clients: size.clients };
  const arena = await openArena({ ...needs, ...clients }, favoured);
  try {
    return await runHostile(arena, attack, size, { seconds });
  } finally {
    await arena.close();
  }
}
