/** Asks the service program to prove that the source can be replicated: it reads the source in every form that it accepts. */
import { type Preflight, readPreflight } from '../../api/reports/preflight.ts';
import { type LaunchCall, serviceLaunch } from '../serve/serviceProgram.ts';

/** @param syncConfig its path; undefined: the one that the service config names. Undefined if there was no answer */
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
