/** The options of `npm start`. */
import { parseArgs } from 'node:util';

export interface Choices {
  /** Whether to open VS Code. Otherwise, it is only prepared. */
  readonly open: boolean;
  /** The port of the workbench in the browser. */
  readonly port: number | undefined;
  /** Whether to use the existing `dist/` and VSIX. Tests do so, because other tests use these files at the same time. */
  readonly isBuilt: boolean;
}

const usage = 'Use: npm start -- [--no-open] [--port NUMBER].';

/** Returns a message if the options are not valid. */
export function readChoices(args: readonly string[]): Choices | string {
  try {
    const options = {
      'no-open': { type: 'boolean' },
      port: { type: 'string' },
      built: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      return `${values.port} is not a port. ${usage}`;
    return { open: values['no-open'] !== true, port, isBuilt: values.built === true };
  } catch {
    return usage;
  }
}
