import type { Command } from './command.ts';
import { validate } from './validate.ts';

/** Every command of `headwater`, in the order of its help. */
export const commands: readonly Command[] = [validate];
