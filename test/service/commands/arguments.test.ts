import { describe, expect, test } from 'vitest';
import { readServiceArguments } from '../../../server/service/commands/arguments.ts';
import type { Arguments } from '../../../server/service/commands/command.ts';

function read(line: string): Arguments {
  const given = readServiceArguments(line === '' ? [] : line.split(' '));
  if (typeof given === 'string') throw new Error(given);
  return given;
}

describe('a command line', () => {
  test.each([
    ['', 'start', []],
    ['start', 'start', []],
    ['-c a.yaml', 'start', []],
    ['migrate up', 'migrate', ['up']],
    ['-c a.yaml teardown TEARDOWN', 'teardown', ['TEARDOWN']],
  ])('"%s" runs the command %s with %o', (line, command, words) => {
    expect(read(line)).toMatchObject({ command, words });
  });

  test.each([
    ['-c a.yaml', { configPath: 'a.yaml' }],
    ['--config a.yaml', { configPath: 'a.yaml' }],
    ['--config-path=a.yaml', { configPath: 'a.yaml' }],
    ['-c64 YQ==', { configBase64: 'YQ==' }],
    ['--config-base64=YQ==', { configBase64: 'YQ==' }],
    ['-sync64 YQ==', { syncBase64: 'YQ==' }],
    ['--within a --within b', { within: ['a', 'b'] }],
    ['-r api', { role: 'api' }],
    ['--port 0 --host ::1', { port: 0, host: '::1' }],
    ['--port 8080+ --database-port 5499', { port: 8080, databasePort: 5499, proposed: ['port'] }],
  ])('"%s" sets %o', (line, config) => {
    expect(JSON.parse(JSON.stringify(read(line).config))).toEqual(config);
  });

  test('can contain options that only one command has', () => {
    expect(read('compact -b 1#a["x"] -p').own).toEqual({ buckets: '1#a["x"]', noParameterIndexes: 'yes' });
  });

  test.each([
    ['--prot 1', 'There is no option --prot. See --help.'],
    ['-c', 'The option -c needs a value.'],
    ['--port many', 'many is not a port: it must be from 0 to 65535.'],
    ['--port 80++', '80++ is not a port: it must be from 0 to 65535.'],
    ['--port 65536', '65536 is not a port: it must be from 0 to 65535.'],
  ])('"%s" is refused: %s', (line, sentence) => {
    expect(readServiceArguments(line.split(' '))).toBe(sentence);
  });
});
