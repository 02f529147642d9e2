/**
 * `npm run hostile -- NAME SECONDS`: one attack on a real service for so long (600 by default), or `all` of them one
 * after the other. Ends with 1 if the service needed more memory or answered later than it should.
 */
import { attackNames, isAttackName } from './attacks.ts';
import { failuresIn, runHostile } from './run.ts';

const [name = '', seconds = '600'] = process.argv.slice(2);
if (name !== 'all' && !isAttackName(name)) {
  console.error(`Name one of these attacks: all, ${attackNames.join(', ')}`);
  process.exit(2);
}
let failed = false;
for (const attack of isAttackName(name) ? [name] : attackNames) {
  const report = await runHostile(attack, Number(seconds));
  const failures = failuresIn(report);
  failed ||= failures.length > 0;
  console.log(
    `${attack}: ${report.attempts} attempts, ${Math.round(report.peakMemory)} MB at most, ` +
      `${report.probes} probes in ${Math.round(report.slowestProbe)} ms at most, ${report.served} changes and ` +
      `${report.connected} connections served`,
  );
  for (const failure of failures) console.log(`  ${failure}`);
}
process.exit(failed ? 1 : 0);
