/** The observations of an attack, and the verdict on each criterion. */

/** In the order of the columns of the table. */
export const criteria = ['clients', 'changes', 'process', 'memory', 'probe', 'attack'] as const;

/**
 * `clients`: no client with a token is disconnected or refused. `changes`: every connected client gets every change. `process`: the
 * process survives. `attack`: the attack itself ran and saw no wrong answer.
 */
export type Criterion = (typeof criteria)[number];

export interface Complaint {
  readonly criterion: Criterion;
  readonly sentence: string;
}

export type Complain = (criterion: Criterion, sentence: string) => void;

export interface HostileReport {
  /** That came to their end. */
  readonly attempts: number;
  /** With a token, that the attack was among. */
  readonly clients: number;
  /** MB of the service's process. */
  readonly peakMemory: number;
  readonly probes: Times;
  /** Of a server that does nothing, asked meanwhile: what the machine takes. */
  readonly idle: Times;
  /** Changes that came to all clients with a token that were connected all the time, with how long the last of them waited. */
  readonly changes: Times;
  /** Clients with a token that came meanwhile, and got everything. */
  readonly connected: number;
  readonly complaints: readonly Complaint[];
}

/** In milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** MB. */
const mostMemory = 300;
/** MB, of each client that an attack is among: 5,000 that connect at once leave 26 KB each to the collector. */
const memoryOfClient = 0.032;
/** MB. Beside other tests, garbage is collected late; without a bound it would be gigabytes. */
const unboundedMemory = 400;
/** How much longer a probe may take than the same request to a server that does nothing. */
const longestRatio = 4;
/** Milliseconds. Below, the machine decides: most of it is one turn of a scheduler. */
const leastTime = 5;

/** Returns the failures that count at any speed of the machine, such as a client that is not served or memory without bound. */
export function complaintsIn(report: HostileReport): readonly string[] {
  return [...new Set(boundless(report).map(({ sentence }) => sentence))];
}

/** Returns all failures, also those of limits that only hold if nothing else uses the machine: memory, and the times of probes. */
export function failuresIn(report: HostileReport): readonly Complaint[] {
  const { peakMemory, clients, probes, idle } = report;
  const most = mostMemory + clients * memoryOfClient;
  const late = `Of 100 probes, one took ${Math.round(probes.p99)} ms. A server that does nothing took ${Math.round(idle.p99)} ms.`;
  return [
    ...boundless(report),
    ...complaintIf(
      peakMemory > most,
      'memory',
      `The service took more than ${Math.round(most)} MB of memory.`,
    ),
    ...complaintIf(ratioOf(report) > longestRatio, 'probe', late),
  ];
}

function boundless({
  complaints,
  clients,
  peakMemory,
  probes,
  changes,
  connected,
}: HostileReport): Complaint[] {
  const most = unboundedMemory + clients * memoryOfClient;
  return [
    ...complaints,
    ...complaintIf(peakMemory > most, 'memory', `The service took ${Math.round(peakMemory)} MB of memory.`),
    ...complaintIf(probes.count === 0, 'probe', 'No probe was answered.'),
    ...complaintIf(changes.count === 0, 'changes', 'No change came to all clients with a token.'),
    ...complaintIf(connected === 0, 'clients', 'No client with a token could connect.'),
  ];
}

function complaintIf(isTrue: boolean, criterion: Criterion, sentence: string): readonly Complaint[] {
  return isTrue ? [{ criterion, sentence }] : [];
}

export function ratioOf({ probes, idle }: Pick<HostileReport, 'probes' | 'idle'>): number {
  return probes.p99 / Math.max(idle.p99, leastTime);
}
