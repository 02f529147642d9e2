/** Runs an attack until it is stopped, and reports five times a second how many attempts it has made. */
import type { Target } from './attacks/attack.ts';
import { type AttackName, attackOf } from './attacks/index.ts';

const { name, target } = JSON.parse(process.argv[2] ?? '') as { name: AttackName; target: Target };
let attempts = 0;
const stop = new AbortController();
process.on('message', () => stop.abort());
process.on('disconnect', () => process.exit());
const report = setInterval(() => process.send?.({ kind: 'attempts', attempts }), 200);
await attackOf(name).run(target, {
  signal: stop.signal,
  begin: () => process.send?.({ kind: 'begun' }),
  count: () => {
    attempts += 1;
  },
  complain: (complaint) => process.send?.({ kind: 'complaint', complaint }),
});
clearInterval(report);
process.send?.({ kind: 'stopped', attempts }, () => process.exit());
