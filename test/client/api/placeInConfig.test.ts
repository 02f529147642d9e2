import { expect, test } from 'vitest';
import { placeInConfig } from '../../../client/api/placeInConfig.ts';

const text = `# patient is a table
streams:
  patient:
    query: SELECT * FROM patients JOIN patient ON true # patient
`;

const found = (message: string, location?: { start: number; end: number }) => {
  const place = placeInConfig({ message, ...(location && { location }) }, text);
  if (place === undefined) return undefined;
  const { start, end } = place;
  return `${text.slice(0, start).split('\n').length}: ${text.slice(start, end)}`;
};

test('A message about a table is placed where a query reads the table, not in a comment or a name', () => {
  expect(found('Table "public"."patient" not found.')).toBe('4: patient');
  expect(placeInConfig({ message: 'Table "public"."patient" not found.' }, text)?.start).toBe(
    text.indexOf('patient ON'),
  );
});

test('A message with a location keeps that location', () => {
  expect(found('Table "patient" not found.', { start: 2, end: 4 })).toBe('1: pa');
});

test('A message that names nothing from the config has no place', () => {
  expect(found('Table "public"."gone" not found.')).toBeUndefined();
  expect(found('Odd "(" names "[a" and "\\".')).toBeUndefined();
  expect(placeInConfig({ message: '' }, '')).toBeUndefined();
});
