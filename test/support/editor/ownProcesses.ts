import { execFileSync } from 'node:child_process';

/** Returns the ids of all descendants of this process whose command line contains the text. */
export function ownProcesses(text: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map((line) => {
    const [, id = '', parent = '', args = ''] = /^ *(\d+) +(\d+) +(.*)$/.exec(line) ?? [];
    return { id: Number(id), parent: Number(parent), args };
  });
  const descends = (id: number): boolean =>
    id === process.pid || all.some((one) => one.id === id && one.parent > 1 && descends(one.parent));
  return all.filter(({ id, args }) => args.includes(text) && descends(id)).map(({ id }) => id);
}
