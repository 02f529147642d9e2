import type { Command } from './command.ts';

/** Every command of `headwater`, in the order of its help. */
export const commands: readonly Command[] = [];
