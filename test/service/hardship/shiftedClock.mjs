/** A preload for the service: shifts its clock by the number of milliseconds in the file that CLOCK_SHIFT names. */
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
