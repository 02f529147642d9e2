/** How much of the time the processors of this machine compute: whether a run is limited by its work or by its waiting. */
import { type CpuInfo, cpus } from 'node:os';

/** Times of all processors since the machine was started, in milliseconds. */
interface ProcessorTimes {
  readonly computing: number;
  readonly idle: number;
}

export function readProcessors(processors: readonly Pick<CpuInfo, 'times'>[] = cpus()): ProcessorTimes {
  const sum = { computing: 0, idle: 0 };
  for (const { times } of processors) {
    sum.computing += times.user + times.nice + times.sys + times.irq;
    sum.idle += times.idle;
  }
  return sum;
}

/** Returns a sentence about the time between two readings. It includes the work of other programs on this machine. */
export function processorUse(from: ProcessorTimes, to: ProcessorTimes): string {
  const computing = to.computing - from.computing;
  const all = computing + to.idle - from.idle;
  const share = all > 0 ? `${Math.round((100 * computing) / all)} %` : 'an unknown part';
  return `The processors of this machine computed for ${share} of the time.`;
}
