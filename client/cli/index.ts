import type { Command } from './command.ts';
import { completion } from './completion.ts';
import { current } from './current.ts';
import { deploy } from './deploy.ts';
import { dev } from './dev.ts';
import { diff } from './diff.ts';
import { explainRow } from './explainRow.ts';
import { format } from './format.ts';
import { generateSchema } from './generateSchema.ts';
import { generateToken } from './generateToken.ts';
import { init } from './init.ts';
import { lsp } from './lsp.ts';
import { migrate } from './migrate.ts';
import { preview } from './preview.ts';
import { probe } from './probe.ts';
import { reprocess } from './reprocess.ts';
import { reset } from './reset.ts';
import { serve } from './serve.ts';
import { sql } from './sql.ts';
import { status } from './status.ts';
import { validate } from './validate.ts';

/** Every command of `headwater`, in the order of its help. */
export const commands: readonly Command[] = [
  ...[init, dev, serve, sql],
  ...[validate, format, migrate, explainRow, preview],
  ...[deploy, current, diff, reprocess, reset, status, probe],
  ...[generateSchema, generateToken],
  ...[lsp, completion],
];
