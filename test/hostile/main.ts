/**
 * `npm run hostile -- NAME SECONDS`: one attack on a real service for so long (600 by default), or `all` of them one
 * after the other. Ends with 1 if the service needed more memory or answered later than it should.
 *
 * `--clients 5000` and `--sockets 100000` say how large the attacks are that have clients or idle sockets.
 *
 * Times are those of probes, in milliseconds; `idle` are those of a server that does nothing, asked meanwhile, and `ratio` is
 * how much longer the slowest probe took. `served` counts changes that came to a client, and clients that came.
 */
import { parseArgs } from 'node:util';
import { attackNames, isAttackName } from './attacks.ts';
import { failuresIn, runHostile, usualSize } from './run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clients: { type: 'string' }, sockets: { type: 'string' } },
});
const [name = '', seconds = '600'] = positionals;
const size = {
  clients: Number(values.clients ?? usualSize.clients),
  sockets: Number(values.sockets ?? usualSize.sockets),
};
if (name !== 'all' && !isAttackName(name)) {
  console.error(`Name one of these attacks: all, ${attackNames.join(', ')}`);
  process.exit(2);
}
let failed = false;
console.log(
  row('attack', 'attempts', 'MB', 'p50', 'p99', 'max', 'idle p99', 'max', 'ratio', 'served', 'verdict'),
);
for (const attack of isAttackName(name) ? [name] : attackNames) {
  const report = await runHostile(attack, Number(seconds), size);
  const failures = failuresIn(report);
  failed ||= failures.length > 0;
  const { attempts, peakMemory, probes, idle, served, connected } = report;
  const times = [probes.p50, probes.p99, probes.max, idle.p99, idle.max, probes.max / idle.max];
  const numbers = [peakMemory.toFixed(), ...times.map((time) => time.toFixed(1)), `${served}+${connected}`];
  console.log(row(attack, attempts.toFixed(), ...numbers, failures.length > 0 ? 'fails' : 'holds'));
  for (const failure of failures) console.log(`  ${failure}`);
}
process.exit(failed ? 1 : 0);

function row(attack: string, ...cells: readonly string[]): string {
  return `${attack.padEnd(26)}${cells.map((cell) => cell.padStart(9)).join('')}`;
}
