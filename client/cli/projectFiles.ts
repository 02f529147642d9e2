/** Reads the files of a project for a command. Problems are reported in a sentence. */
import { analyze, messageOf, positionsIn } from '../../server/engine/index.ts';
import {
  type ProjectFile,
  readProjectFile,
  type VariableLookup,
  type YamlMistake,
} from '../project/projectFile.ts';
import { configVariable } from '../project/serviceConfig.ts';
import { CliFailure } from './failure.ts';
import { serviceConfigIn } from './project/serviceConfig.ts';
import { readText } from './read.ts';
import type { World } from './world.ts';

export async function openProjectFile(
  path: string,
  { env, files }: Pick<World, 'env' | 'files'>,
): Promise<ProjectFile> {
  return parse(path, await readText(path, files), env);
}

/**
 * Reads the service config. The places are searched in the same order as by the service. Returns undefined if no config is
 * named and none is found.
 */
export async function readServiceConfig(
  world: Parameters<typeof serviceConfigIn>[0],
  named?: string,
): Promise<ProjectFile | undefined> {
  const { env } = world;
  const base64 = env[configVariable];
  if (named === undefined && base64)
    return parse(configVariable, Buffer.from(base64, 'base64').toString(), env);
  const path = named ?? serviceConfigIn(world);
  return path === undefined ? undefined : openProjectFile(path, world);
}

function parse(path: string, content: string, env: World['env']): ProjectFile {
  const text = content.replace(/^\ufeff/, '');
  const file = readProjectFile(path, text, lookupFor(path, env));
  if (file.kind === 'read') return file;
  throw new CliFailure(`${path}:${explainMistake(text, file)}`);
}

/** Returns a lookup that throws if a variable is not set, because the command needs each value that it reads. */
function lookupFor(path: string, env: World['env']): VariableLookup {
  return (name, pointer) => {
    if (env[name]) return env[name];
    const place = pointer.slice(1).replaceAll('/', '.');
    throw new CliFailure(`${path} takes \`${place}\` from the variable ${name}, which is not set.`);
  };
}

/** Explains a YAML mistake with the engine, because it has a sentence for each mistake and knows where the mistake begins. */
function explainMistake(text: string, { offset }: YamlMistake): string {
  const { findings } = analyze(text, { kind: 'service' });
  const mistake = findings.find(({ code }) => code.startsWith('yaml-'));
  const { line, character } = positionsIn(text)(mistake?.span.start ?? offset);
  return `${line + 1}:${character + 1} ${mistake === undefined ? 'This is not valid YAML.' : messageOf(mistake)}`;
}
