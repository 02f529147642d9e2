/** What the service relies on: the clock, and the address of a key set. */
import { writeFileSync } from 'node:fs';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { type Attack, crowd, exchange, get, pause, post } from './attack.ts';

/** Milliseconds. */
const day = 86_400_000;
const jumps = [day, 0, -day, 0] as const;

export const surroundingAttacks = {
  // The key set is that of `keySets.ts`, which misbehaves with each answer in another way.
  'hostile-key-sets': {
    enough: 300,
    run: (target, attacking) => {
      let last = 0;
      return crowd(20, attacking, async () => {
        last += 1;
        const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `unknown ${last}` }));
        const token = `${header.toString('base64url')}.e30.eA`;
        await exchange(target, post('/sync/stream', '{}', token), attacking);
      });
    },
  },
  'clocks-that-jump': {
    enough: 4,
    needs: { clock: true },
    run: async (target, attacking) => {
      const expired = await clientToken('user1', '1s');
      for (let count = 0; !attacking.signal.aborted; count += 1) {
        writeFileSync(target.clock, String(jumps[count % jumps.length]));
        await pause(3_000);
        await exchange(
          target,
          get('/write-checkpoint2.json', `Authorization: Bearer ${expired}\r\n`),
          attacking,
        );
        attacking.count();
      }
    },
  },
} as const satisfies Record<string, Attack>;
