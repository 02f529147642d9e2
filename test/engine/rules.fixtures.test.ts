import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { expectMarks } from '../support/engine/marks.ts';

const folder = new URL('../fixtures/rules/', import.meta.url);

test.each(readdirSync(folder))('%s has exactly the drawn findings', (name) => {
  expectMarks(
    readFileSync(new URL(name, folder), 'utf8'),
    ({ text }, { catalog }) => analyze(text, { kind: 'sync', catalog }).findings,
  );
});
