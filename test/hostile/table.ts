/** The results of attacks as a Markdown table, with a row for each attack and a verdict on each criterion. */
import {
  type Complaint,
  type Criterion,
  criteria,
  failuresIn,
  type HostileReport,
  ratioOf,
} from './report.ts';

const titles: Readonly<Record<Criterion, string>> = {
  clients: 'clients disconnected or refused (newly served)',
  changes: 'changes missed',
  process: 'process',
  memory: 'peak memory, MB',
  probe: 'p99 of the probe, ms (idle server; ratio)',
  attack: 'seen by the attack',
};

export const heading = [
  row('attack', 'attempts', 'seconds', ...criteria.map((criterion) => titles[criterion]), 'verdict'),
  row('---', ...Array.from({ length: criteria.length + 3 }, () => '---')),
].join('\n');

export function lineOf(attack: string, seconds: number, report: HostileReport): string {
  const { attempts, peakMemory, probes, idle, changes, connected } = report;
  const failures = failuresIn(report);
  const count = (criterion: Criterion): number =>
    failures.filter((failure) => failure.criterion === criterion).length;
  const cells: Readonly<Record<Criterion, string>> = {
    clients: `${count('clients')} (${connected})`,
    changes: `${count('changes')} of ${changes.count}, median ${changes.p50.toFixed()} ms`,
    process: count('process') === 0 ? 'survived' : 'ended',
    memory: peakMemory.toFixed(),
    probe: `${probes.p99.toFixed(1)} (${idle.p99.toFixed(1)}; ${ratioOf(report).toFixed(1)})`,
    attack: count('attack') === 0 ? 'nothing' : `${count('attack')} complaints`,
  };
  const verdicts = criteria.map((criterion) => `${cells[criterion]} ${count(criterion) === 0 ? '✓' : '✗'}`);
  return row(attack, String(attempts), seconds.toFixed(), ...verdicts, verdictOf(failures));
}

/** Returns the row of an attack whose service could not be started, or that could not be observed. */
export function lineWithout(attack: string): string {
  return row(attack, ...Array.from({ length: criteria.length + 2 }, () => '?'), 'could not run ✗');
}

function verdictOf(failures: readonly Complaint[]): string {
  return failures.length === 0 ? 'holds ✓' : '**fails** ✗';
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
