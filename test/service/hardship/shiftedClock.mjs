/** Loaded into the service before its own program: its clock is ahead of the machine's by the milliseconds in CLOCK_SHIFT. */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT;
const machine = Date.now.bind(Date);
let shift = 0;

if (file !== undefined) {
  const now = () => machine() + shift;
  globalThis.Date = class extends Date {
    constructor(...args) {
      super(...(args.length === 0 ? [now()] : args));
    }
    static now() {
      return now();
    }
  };
  setInterval(() => {
    shift = Number(readFileSync(file, 'utf8')) || 0;
  }, 20).unref();
}
