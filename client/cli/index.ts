/**
 * The table of commands, in the order of the help. A command sees the world only through the `World` that it is given, so
 * its tests need no process and no disk; it returns an answer, for people and for programs.
 */
import type { Command } from './command.ts';
import { completion } from './commands/completion.ts';
import { current } from './commands/current.ts';
import { deploy } from './commands/deploy.ts';
import { dev } from './commands/dev.ts';
import { diff } from './commands/diff.ts';
import { explainRow } from './commands/explainRow.ts';
import { format } from './commands/format.ts';
import { generateSchema } from './commands/generateSchema.ts';
import { generateToken } from './commands/generateToken.ts';
import { init } from './commands/init.ts';
import { lsp } from './commands/lsp.ts';
import { migrate } from './commands/migrate.ts';
import { preview } from './commands/preview.ts';
import { probe } from './commands/probe.ts';
import { reprocess } from './commands/reprocess.ts';
import { reset } from './commands/reset.ts';
import { serve } from './commands/serve.ts';
import { sql } from './commands/sql.ts';
import { status } from './commands/status.ts';
import { test } from './commands/test.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';

/** Every command of `headwater`, in the order of its help. */
export const commands: readonly Command[] = [
  ...[init, dev, serve, sql],
  ...[validate, test, format, migrate, explainRow, preview],
  ...[deploy, current, diff, reprocess, reset, status, verify, probe],
  ...[generateSchema, generateToken],
  ...[lsp, completion],
];
