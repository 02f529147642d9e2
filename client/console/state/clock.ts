/** The clock of the page. It does not run backwards if the clock of the machine is set back, and counts the time of a sleep. */
import { createAgeClock } from '../../health/clock.ts';

/** Returns the time in milliseconds since 1970. */
export const pageTime = createAgeClock();
