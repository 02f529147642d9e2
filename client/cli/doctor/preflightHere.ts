/** Asks the service program whether the source can be replicated, because it supports every form of source. */
import { type Preflight, readPreflight } from '../../api/reports/preflight.ts';
import { type LaunchCall, serviceLaunch } from '../serve/serviceProgram.ts';

/**
 * @param syncConfig the path of the sync config; undefined: the sync config that the service config names
 * @returns undefined if there was no answer
 */
export async function preflightHere(
  call: LaunchCall,
  syncConfig: string | undefined,
): Promise<Preflight | undefined> {
  const { world } = call;
  const { args, env } = await serviceLaunch(call);
  const lines: string[] = [];
  const program = ['test-connection', ...(syncConfig === undefined ? [] : [syncConfig]), '--json', ...args];
  const running = world.startProgram('service', program, {
    env,
    errors: 'dropped',
    onLine: (line) => lines.push(line),
  });
  world.signal.addEventListener('abort', running.stop);
  await running.ended;
  world.signal.removeEventListener('abort', running.stop);
  return lines.map((line) => readPreflight(parse(line))).find((read) => read !== undefined);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
