/** The options of `npm start`. */
import { parseArgs } from 'node:util';

export interface Choices {
  /** Whether VS Code is opened, or only made ready. */
  readonly open: boolean;
  /** The port of the workbench in the browser. */
  readonly port: number | undefined;
  /** Uses `dist/` and the VSIX as they are: for tests, which run beside others that use them. */
  readonly isBuilt: boolean;
}

const usage = 'Use: npm start -- [--no-open] [--port NUMBER].';

/** Returns a sentence instead where that is not possible. */
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
