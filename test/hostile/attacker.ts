/** Attacks until it is stopped, and then says how often it tried. */
import { type AttackName, attacks, type Target } from './attacks.ts';

const { name, target } = JSON.parse(process.argv[2] ?? '') as { name: AttackName; target: Target };
let attempts = 0;
const stop = new AbortController();
process.on('message', () => stop.abort());
process.on('disconnect', () => process.exit());
await attacks[name](target, {
  signal: stop.signal,
  begin: () => process.send?.({ kind: 'begun' }),
  count: () => {
    attempts += 1;
  },
  complain: (complaint) => process.send?.({ kind: 'complaint', complaint }),
});
process.send?.({ kind: 'attempts', attempts }, () => process.exit());
