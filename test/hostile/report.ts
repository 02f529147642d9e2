/** The observations of an attack, and the verdict on each criterion. */

/** The criteria in the order of their columns in the table. */
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
  /** The number of attempts that have ended. */
  readonly attempts: number;
  /** The number of clients with a token that were connected because the attack needs them. */
  readonly clients: number;
  /** The most memory that the service's process used, in MB. */
  readonly peakMemory: number;
  readonly probes: Times;
  /** The times of a server that does nothing, measured at the same time: the machine itself needs this long. */
  readonly idle: Times;
  /** The times until a change had reached the last of the clients with a token that were connected during the whole attack. */
  readonly changes: Times;
  /** How many times clients with a token connected during the attack and received everything. */
  readonly connected: number;
  readonly complaints: readonly Complaint[];
}

/** A summary of times, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The most memory that the service may use, in MB. */
const mostMemory = 300;
/** MB that each client of an attack adds: 5,000 clients that connect at once leave 26 KB of garbage each. */
const memoryOfClient = 0.032;
/** The limit in MB while other tests run. Garbage is then collected late, but unbounded memory would grow to gigabytes. */
const unboundedMemory = 400;
/** How much longer a probe may take than the same request to a server that does nothing. */
const longestRatio = 4;
/** The shortest time that is compared, in milliseconds. Shorter times consist mostly of one time slice of the scheduler. */
const leastTime = 5;

/** Returns the failures that count on a machine of any speed, such as a client that is not served, or unbounded memory. */
export function complaintsIn(report: HostileReport): readonly string[] {
  return [...new Set(boundless(report).map(({ sentence }) => sentence))];
}

/** Returns all failures, including memory and the times of probes, whose limits hold only if nothing else uses the machine. */
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
