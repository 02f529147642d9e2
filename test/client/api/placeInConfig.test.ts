import { expect, test } from 'vitest';
import { placeInConfig } from '../../../client/api/placeInConfig.ts';

const text = `# patient is a table
streams:
  patient:
    query: SELECT * FROM patients JOIN patient ON true # patient
`;

const found = (message: string, location?: { start: number; end: number }) => {
  const { start, end } = placeInConfig({ message, ...(location && { location }) }, text);
  return `${text.slice(0, start).split('\n').length}: ${text.slice(start, end)}`;
};

test('What a service says of a table stands where that is read, and not in a comment or a name', () => {
  expect(found('Table "public"."patient" not found.')).toBe('4: patient');
  expect(placeInConfig({ message: 'Table "public"."patient" not found.' }, text).start).toBe(
    text.indexOf('patient ON'),
  );
});

test('What has a place stands there', () => {
  expect(found('Table "patient" not found.', { start: 2, end: 4 })).toBe('1: pa');
});

test('What names nothing of the text stands in its first line, whatever it says', () => {
  expect(found('Table "public"."gone" not found.')).toBe('1: # patient is a table');
  expect(found('Odd "(" names "[a" and "\\".')).toBe('1: # patient is a table');
  expect(placeInConfig({ message: '' }, '')).toEqual({ start: 0, end: 0 });
});
