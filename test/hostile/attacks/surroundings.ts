/** Attacks on the surroundings that the service relies on: its clock, and the address of a key set. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { type Attack, aborted, crowd, exchange, get, openSocket, pause, post } from './attack.ts';

/** A day, in milliseconds. */
const day = 86_400_000;
const jumps = [day, 0, -day, 0] as const;

export const surroundingAttacks = {
  // The key set is the one of `keySets.ts`, which misbehaves in another way with each answer.
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
      // A token that has expired or was issued in the future, whichever of these clocks is used.
      const invalid = await clientToken('user1', '-2h');
      for (let count = 0; !attacking.signal.aborted; count += 1) {
        writeFileSync(target.clock, String(jumps[count % jumps.length]));
        await Promise.race([pause(3_000), aborted(attacking.signal)]);
        const request = get('/write-checkpoint2.json', `Authorization: Bearer ${invalid}\r\n`);
        const socket = openSocket(target, request);
        const answer = await Promise.race([
          once(socket, 'data').then(String, () => ''),
          aborted(attacking.signal).then(() => ''),
        ]);
        socket.destroy();
        if (answer !== '' && !answer.startsWith('HTTP/1.1 401 '))
          attacking.complain(`A token that is not valid was answered with ${answer.split('\r\n')[0]}.`);
        attacking.count();
      }
    },
  },
} as const satisfies Record<string, Attack>;
