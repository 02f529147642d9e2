import { expect, test } from 'vitest';
import { readChoices } from '../../../scripts/start/choices.ts';

test('without options, VS Code is opened on any port', () => {
  expect(readChoices([])).toEqual({ open: true, port: undefined, isBuilt: false });
});

test('it may stay closed, on a port of choice', () => {
  expect(readChoices(['--no-open', '--port', '9000'])).toMatchObject({ open: false, port: 9000 });
});

test.each(['0', '65536', 'high', '1.5'])('%s is no port', (port) => {
  expect(readChoices(['--port', port])).toBe(
    `${port} is not a port. Use: npm start -- [--no-open] [--port NUMBER].`,
  );
});

test.each([['--prot'], ['todo'], ['--port']])('%s is answered by what can be used', (word) => {
  expect(readChoices([word])).toBe('Use: npm start -- [--no-open] [--port NUMBER].');
});
