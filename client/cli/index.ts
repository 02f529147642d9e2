/**
 * The table of commands. A command accesses the world only through its `World`, so its tests need no process and no disk. It
 * returns an answer for people and for programs.
 */
import type { Command } from './command.ts';
import { completion } from './commands/completion.ts';
import { history } from './commands/configHistory.ts';
import { console } from './commands/console.ts';
import { copy } from './commands/copies/copy.ts';
import { reprocess } from './commands/copies/reprocess.ts';
import { current } from './commands/current.ts';
import { deploy } from './commands/deploy.ts';
import { dev } from './commands/dev.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { explainRow } from './commands/explainRow.ts';
import { format } from './commands/format.ts';
import { generateSchema } from './commands/generate/schema.ts';
import { generateToken } from './commands/generate/token.ts';
import { init } from './commands/init.ts';
import { limits } from './commands/limits.ts';
import { migrate } from './commands/migrate.ts';
import { preview } from './commands/preview.ts';
import { probe } from './commands/probe.ts';
import { lsp } from './commands/protocols/lsp.ts';
import { mcp } from './commands/protocols/mcp.ts';
import { reset } from './commands/reset.ts';
import { serve } from './commands/serve.ts';
import { sql } from './commands/sql.ts';
import { status } from './commands/status.ts';
import { test } from './commands/test.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';
import type { CommandGroup } from './help.ts';

/** The groups in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Set up and run', commands: [init, dev, serve, console, reset, sql] },
  { title: 'Check, change and explain', commands: [validate, test, format, migrate, explainRow, preview] },
  { title: 'Deploy', commands: [deploy, copy, current, history, diff, reprocess] },
  { title: 'Monitor and maintain a service', commands: [doctor, status, limits, verify, probe] },
  { title: 'For apps and tools', commands: [generateSchema, generateToken, lsp, mcp, completion] },
];

/** Every command of `headwater`. */
export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
