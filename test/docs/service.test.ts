/** The pages for operators name metrics, tests and providers that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricCatalogue } from '../../server/service/ground/metrics.ts';
import { pageText, publicPages } from '../support/docs/pages.ts';
import { titlesIn } from '../support/docs/promises.ts';
import { root } from '../support/house/imports.ts';

const metrics = pageText('docs/METRICS.md');

test('METRICS lists every metric, and no other one', () => {
  const listed = [...metrics.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, type]) => [name, type]);
  expect(listed).toEqual(Object.entries(metricCatalogue).map(([name, [type]]) => [name, type]));
});

describe('an alert', () => {
  const [, text = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(metrics) ?? [];
  const rules: readonly Alert[] = parse(text).groups.flatMap((group: { rules: Alert[] }) => group.rules);

  test('is a complete rule, and its name is unique', () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules)
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Headwater\w+$/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(?:page|ticket)$/) },
        annotations: { summary: expect.stringMatching(/\.$/) },
      });
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test('names only metrics that exist, and counts only counters', () => {
    expect(rules.flatMap(({ expr }) => mistakesIn(expr))).toEqual([]);
    expect(mistakesIn('rate(powersync_row_total[5m]) > 1')).toEqual(['powersync_row_total does not exist']);
    expect(mistakesIn('increase(headwater_client_buckets_most[1d]) > 1')).toEqual([
      'headwater_client_buckets_most is a gauge, so increase() means nothing',
    ]);
    expect(mistakesIn('headwater_wrong_rows_total > 0')).toEqual([
      'headwater_wrong_rows_total is a counter, so only its increase means something',
    ]);
  });
});

interface Alert {
  readonly alert: string;
  readonly expr: string;
}

function mistakesIn(expression: string): readonly string[] {
  const uses = expression.matchAll(/(?:(rate|increase)\()?\b((?:headwater|powersync)_\w+)/g);
  return [...uses].flatMap(([, change, name = '']) => {
    const type = Object.entries(metricCatalogue).find(([each]) => each === name)?.[1][0];
    if (type === undefined) return `${name} does not exist`;
    if (type === 'gauge' && change) return `${name} is a gauge, so ${change}() means nothing`;
    if (type === 'counter' && !change) return `${name} is a counter, so only its increase means something`;
    return [];
  });
}

test('every test that a page names exists', () => {
  const named = publicPages
    .filter((path) => path !== 'docs/SECURITY.md')
    .flatMap((path) => testsNamedOn(path).map((each) => ({ page: path, ...each })));
  expect(named.length).toBeGreaterThan(5);
  const lost = named.filter(
    ({ path, title }) => !titlesIn(readFileSync(join(root, path), 'utf8')).has(title),
  );
  expect(lost).toEqual([]);
});

/** Reads the comments after a sentence. The page on security has stricter ones, which its own test reads. */
function testsNamedOn(page: string): readonly { readonly path: string; readonly title: string }[] {
  const comments = pageText(page).matchAll(/<!--\s*test:([\s\S]*?)-->/g);
  return [...comments].flatMap(([, comment = '']) =>
    [...comment.matchAll(/(test\/[\w/.]+)\s+"([^"]+)"/g)].map(([, path = '', title = '']) => ({
      path,
      title,
    })),
  );
}

test('PRODUCTION names each provider whose pooler the service recognises, and does not claim to work with it', () => {
  const pooler = readFileSync(join(root, 'server/service/replication/postgres/preflight/pooler.ts'), 'utf8');
  const row = /^\|.*\bSupabase\b.*\|$/m.exec(pageText('docs/PRODUCTION.md'))?.[0] ?? '';
  expect(row).toContain('not tested');
  for (const [host, provider] of [
    ['supabase', 'Supabase'],
    ['neon', 'Neon'],
    ['rds\\.amazonaws', 'Amazon RDS'],
  ] as const) {
    expect(pooler).toContain(host);
    expect(row).toContain(provider);
  }
});
