/**
 * `npm run hostile -- NAME SECONDS`: one attack on a real service for so long (600 by default), or `all` of them one
 * after the other, 60 seconds each. Ends with 1 if the service ended, needed more memory or answered later than it should, or did
 * not serve a client with a token.
 *
 * `--clients 5000` and `--sockets 100000` say how large the attacks are that have clients or very many sockets.
 *
 * Times are those of probes, in milliseconds; `idle` are those of a server that does nothing, asked meanwhile, and `ratio` is
 * that of both p99. `change` is the median time in which a change came to all of the twenty clients that are connected all the
 * while, and `served` counts these changes, and clients that came.
 */
import { parseArgs } from 'node:util';
import { openArena } from './arena.ts';
import { type AttackName, attackNames, attackOf, isAttackName } from './attacks/index.ts';
import { favoured } from './beside.ts';
import { failuresIn, type HostileReport, ratioOf } from './report.ts';
import { runHostile, usualSize } from './run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clients: { type: 'string' }, sockets: { type: 'string' } },
});
const [name = '', seconds = name === 'all' ? '60' : '600'] = positionals;
const size = {
  clients: Number(values.clients ?? usualSize.clients),
  sockets: Number(values.sockets ?? usualSize.sockets),
};
if (name !== 'all' && !isAttackName(name)) {
  console.error(`Name one of these attacks: all, ${attackNames.join(', ')}`);
  process.exit(2);
}
let hasFailed = false;
console.log(
  row(
    'attack',
    'attempts',
    'MB',
    'p50',
    'p99',
    'max',
    'idle p99',
    'max',
    'ratio',
    'change',
    'served',
    'verdict',
  ),
);
for (const attack of isAttackName(name) ? [name] : attackNames) {
  const report = await runAlone(attack);
  const failures = failuresIn(report);
  hasFailed ||= failures.length > 0;
  const { attempts, peakMemory, probes, idle, changes, connected } = report;
  const times = [probes.p50, probes.p99, probes.max, idle.p99, idle.max, ratioOf(report), changes.p50];
  const numbers = [
    peakMemory.toFixed(),
    ...times.map((time) => time.toFixed(1)),
    `${changes.count}+${connected}`,
  ];
  console.log(row(attack, attempts.toFixed(), ...numbers, failures.length > 0 ? 'fails' : 'holds'));
  for (const failure of failures) console.log(`  ${failure}`);
}
process.exit(hasFailed ? 1 : 0);

/** Each on a service of its own. */
async function runAlone(attack: AttackName): Promise<HostileReport> {
  const { needs = {} } = attackOf(attack);
  const clients = needs.clients !== undefined && { clients: size.clients };
  const arena = await openArena({ ...needs, ...clients }, favoured);
  try {
    return await runHostile(arena, attack, size, { seconds: Number(seconds) });
  } finally {
    await arena.close();
  }
}

function row(attack: string, ...cells: readonly string[]): string {
  return `${attack.padEnd(30)}${cells.map((cell) => cell.padStart(9)).join('')}`;
}
