import type { CheckResult } from '../../health/checkup/check.ts';
import { harmless, type Paint } from '../colours.ts';
import { command } from '../command.ts';
import { openPatient } from '../doctor/patient.ts';
import { aboutToken, instanceOptions } from '../instance.ts';

export const doctor = command({
  name: 'doctor',
  summary: 'Find out why rows do not reach a device',
  about: `Follows the path of a row and checks each step: the file and its content, variables, the source with its log, publication,
keys and slots, its tables, the service, the deployed config, the keys that verify the tokens of the app, and whether a device gets
a checkpoint. For each problem, it suggests the next step. It changes nothing.

It connects to the source at the address in service.yaml, or asks through the service. The device is a client that
uses the token in --token, or a token for --user that is signed with a secret key from service.yaml. The service
itself fetches its key sets, so those of other services than Headwater's are not checked.

Exit code 0: no problems (there may be warnings); 1: there is a problem.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    config: { alias: '-c', value: 'FILE', summary: 'The service config (default: service.yaml)' },
    user: { value: 'USER', summary: 'The user of the device (default: doctor, a user without rows)' },
    token: { value: 'TOKEN', summary: 'The token of the device, instead of one that is signed here' },
  },
  examples: ['doctor', 'doctor --user ada --json', 'doctor sync.yaml --service https://sync.example.com'],
  run: async (call) => {
    const { has, paint, world, progress } = call;
    const { checkUp } = await import('../onDemand.ts');
    const patient = await openPatient(call);
    try {
      const checks = await checkUp(patient, (check) => {
        world.signal.throwIfAborted();
        // The results are printed one by one, because some checks take seconds.
        progress.end();
        if (!has('json')) for (const line of linesOf(check, paint)) world.print(line);
      });
      const isWell = checks.every(({ state }) => state !== 'bad');
      return { code: isWell ? 0 : 1, json: { well: isWell, checks }, lines: [summaryOf(checks)] };
    } finally {
      await patient.close();
    }
  },
});

function linesOf({ id, state, sentence, step }: CheckResult, paint: Paint): readonly string[] {
  const mark = {
    good: paint.green('ok'),
    warning: paint.yellow('warning'),
    bad: paint.red('wrong'),
    unknown: paint.dim('skipped'),
  }[state];
  const line = `${mark} ${id}: ${harmless(sentence)}`;
  return step === undefined ? [line] : [line, `  ${paint.bold('Next:')} ${harmless(step)}`];
}

function summaryOf(checks: readonly CheckResult[]): string {
  const count = (state: CheckResult['state']): number =>
    checks.filter((check) => check.state === state).length;
  const [wrong, warnings, skipped] = [count('bad'), count('warning'), count('unknown')];
  if (wrong + warnings + skipped === 0) return 'No problems found.';
  return `${wrong} wrong, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${skipped} skipped.`;
}
