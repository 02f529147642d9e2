/** The attacks on a service. Each repeats its attempts as often as it can until it is stopped. */
import type { Attack } from './attack.ts';
import { bodyAttacks } from './bodies.ts';
import { clientAttacks } from './clients.ts';
import { requestAttacks } from './requests.ts';
import { socketAttacks } from './sockets.ts';
import { surroundingAttacks } from './surroundings.ts';
import { webSocketAttacks } from './webSockets.ts';

export const attacks = {
  ...requestAttacks,
  ...bodyAttacks,
  ...socketAttacks,
  ...webSocketAttacks,
  ...clientAttacks,
  ...surroundingAttacks,
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

export const attackNames = Object.keys(attacks) as readonly AttackName[];

export function isAttackName(name: string): name is AttackName {
  return Object.hasOwn(attacks, name);
}

export function attackOf(name: AttackName): Attack {
  return attacks[name];
}
