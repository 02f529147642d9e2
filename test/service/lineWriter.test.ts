import { expect, test } from 'vitest';
import { openLog } from '../../server/service/ground/logLines.ts';
import { openLineWriter } from '../../server/service/lineWriter.ts';

function start() {
  const written: string[] = [];
  const rounds: (() => void)[] = [];
  const stream = { writableLength: 0, write: (text: string) => written.push(text) };
  const writer = openLineWriter(stream, (run) => rounds.push(run));
  const nextRound = (): void => {
    for (const run of rounds.splice(0)) run();
  };
  return { written, stream, writer, nextRound };
}

test('all lines of a round are written at once', () => {
  const { written, writer, nextRound } = start();
  for (const line of ['a', 'b', 'c']) writer.write(line);
  expect(written).toEqual([]);
  nextRound();
  writer.write('d');
  nextRound();
  expect(written).toEqual(['a\nb\nc\n', 'd\n']);
});

test('lines that are flushed at the end of the process do not wait for a round', () => {
  const { written, writer, nextRound } = start();
  writer.write('last');
  writer.flush();
  nextRound();
  expect(written).toEqual(['last\n']);
});

test('lines are dropped while no process reads them, and the log reports their number later', () => {
  const { written, stream, writer, nextRound } = start();
  const clock = { now: () => 0 };
  const log = openLog({ level: 'info', format: 'json', secrets: [], print: writer.write, clock });
  stream.writableLength = 5 * 1024 * 1024;
  for (let count = 0; count < 1000; count += 1) log.write('info', 'flood');
  nextRound();
  expect(written).toEqual([]);
  stream.writableLength = 0;
  log.write('info', 'calm');
  log.write('info', 'calm');
  nextRound();
  const messages = written
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).message);
  expect(messages).toEqual(['Lines are missing here, because the log was not read: 1000.', 'calm', 'calm']);
});

test('the lines of a single round cannot fill the memory', () => {
  const { writer } = start();
  const taken = Array.from({ length: 10 }, () => writer.write('x'.repeat(1024 * 1024)));
  expect(taken.filter((each) => each).length).toBeLessThan(6);
});
