import type { Command } from './command.ts';
import { compact } from './compact.ts';
import { migrate } from './migrate.ts';
import { start } from './start.ts';
import { teardown } from './teardown.ts';
import { testConnection } from './testConnection.ts';

/** Every command of the service, in the order of its help. */
export const commands: readonly Command[] = [start, migrate, compact, testConnection, teardown];
