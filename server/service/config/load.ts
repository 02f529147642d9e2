/** Reads the settings of a service from flags, the environment and files, once at startup. */
import { join } from 'node:path';
import { readVariables, type Variables } from '../../shared/envText.ts';
import { ServiceError } from '../ground/errors.ts';
import { findStrays } from './confinement.ts';
import { decodeSettings } from './decode.ts';
import { discoverConfig } from './discover.ts';
import type { Problem } from './problem.ts';
import { readConfig } from './read.ts';
import type { ServiceSettings } from './settings.ts';
import type { ConfigOptions, ConfigWorld } from './surroundings.ts';

export interface LoadedSettings {
  readonly settings: ServiceSettings;
  /** A sentence with a place for each setting that works but probably does not do what the author meant. */
  readonly warnings: readonly string[];
}

/** Throws a {@link ServiceError} that lists all problems, each with its place. */
export function loadSettings(options: ConfigOptions, world: ConfigWorld): LoadedSettings {
  const env = { ...readEnvFile(world), ...world.env };
  const source = discoverConfig(options, { ...world, env });
  const read = readConfig(source, { env, exists: world.exists });
  refuse(source.origin, read.problems);
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const root = read.root(problems);
  const settings = decodeSettings(root, {
    options,
    env,
    folder: source.folder,
    warn: (warning) => warnings.push(warning),
  });
  if (options.within !== undefined) problems.push(...findStrays(settings, root, options.within, world));
  refuse(source.origin, problems);
  return { settings, warnings: [...read.warnings, ...warnings].map(sentenceOf) };
}

/** Reads the `.env` file of the working directory. Existing variables have precedence over it. */
function readEnvFile({ folder, readFile }: ConfigWorld): Variables {
  const bytes = readFile(join(folder, '.env'));
  return bytes === undefined ? {} : readVariables(new TextDecoder().decode(bytes));
}

function refuse(origin: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const code = problems.find((problem) => problem.code !== undefined)?.code ?? 'SVC_S3201';
  const lines = problems.map((problem) => `  ${sentenceOf(problem)}`);
  throw new ServiceError(code, [`The service cannot run with ${origin}:`, ...lines].join('\n'));
}

/** Returns a single line, even if it quotes a text with several lines. */
function sentenceOf({ place, code, sentence }: Problem): string {
  const parts = [place, code, sentence].filter((part) => part !== undefined);
  return parts.join(': ').replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
