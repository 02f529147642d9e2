import { expect, test } from 'vitest';
import { tools } from '../../../client/agents/tools.ts';
import { headwater } from '../../support/cli/cliWorld.ts';

test('init --agents writes AGENTS.md, which names tools that are there', async () => {
  const { code, files, out } = await headwater(['init', '--agents']);
  expect(code).toBe(0);
  expect(out).toContain('Created AGENTS.md.');
  const text = String(files['AGENTS.md']);
  const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(5);
  const known = new Set(tools.map(({ name }) => name));
  expect(named.filter((name) => !known.has(name ?? ''))).toEqual([]);
  expect(text).toContain('`sync.yaml` defines');
});

test('init --agents adds to an AGENTS.md that is there, once, and changes nothing else of it', async () => {
  const theirs = '# Our rules\n\nWrite tests.';
  const first = await headwater(['init', '--agents'], { files: { 'AGENTS.md': theirs } });
  expect(String(first.files['AGENTS.md']).startsWith(`${theirs}\n\n## Sync config\n`)).toBe(true);
  const second = await headwater(['init', '--agents'], { files: first.files });
  expect(second.files['AGENTS.md']).toBe(first.files['AGENTS.md']);
  expect(second.out).toContain('AGENTS.md already exists and was not changed.');
});

test('init offers it where there are agents, and writes nothing of it unasked', async () => {
  const offer = /headwater init --agents/;
  const without = await headwater(['init']);
  expect(without.err.filter((line) => offer.test(line))).toEqual([]);
  const { err, files } = await headwater(['init'], { files: { 'CLAUDE.md': '# Ours\n' } });
  expect(err.filter((line) => offer.test(line))).toHaveLength(1);
  expect(files['AGENTS.md']).toBeUndefined();
});
