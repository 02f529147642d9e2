import { beforeEach, expect, test } from 'vitest';
import { type Complaints, toComplaints } from '../../../scripts/start/complaints.ts';

let printed: string[];
let complaints: Complaints;

beforeEach(() => {
  printed = [];
  complaints = toComplaints((line) => printed.push(line));
});

test('A repeated line is printed once, until something arrives', () => {
  for (const line of ['refused', 'refused', 'too late', 'refused']) complaints.take(line);
  complaints.forget();
  complaints.take('refused');
  expect(printed).toEqual(['refused', 'too late', 'refused']);
});

test('Stacks and other details of an error are left out', () => {
  for (const line of ['Error: refused {', '    at connect (a.js:1:2)', '  status: 500', '}'])
    complaints.take(line);
  expect(printed).toEqual(['Error: refused {']);
});

test('A long line is cut', () => {
  complaints.take('x'.repeat(201));
  expect(printed).toEqual([`${'x'.repeat(200)} …`]);
});
