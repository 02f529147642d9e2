/** The use of the tools for a program that follows their answers and knows nothing else. */
import { describe, expect, test } from 'vitest';
import { repairByTools, tablesForWrongConfigs, toolsIn, wrongConfigs } from '../../support/cli/agents.ts';
import { someOf } from '../../support/house/share.ts';

/** Rules whose correction depends on the author's intention, or needs another query. */
const undecided = [
  'streams as a list',
  'exists',
  'now and interval',
  'count in a query',
  'not equal to the user',
  'user_id without a schema',
];

describe('wrong configs', () => {
  const configs = wrongConfigs();
  const { call } = toolsIn({ files: { 'schema.sql': tablesForWrongConfigs() } });

  test('are forty, each with an error', async () => {
    expect(configs).toHaveLength(40);
    for (const { name, text } of configs) {
      const { answer } = await call('validate_config', { text });
      expect(answer.errors, name).toBeGreaterThan(0);
    }
  });

  test('reach "no error" by calls of tools alone, but for a few', async () => {
    const left: string[] = [];
    const some = someOf(configs);
    for (const { name, text } of some) if ((await repairByTools(text, call)).left.length > 0) left.push(name);
    expect(left).toEqual(undecided.filter((name) => some.some((config) => config.name === name)));
    expect(some.length - left.length).toBeGreaterThanOrEqual((some.length * 3) / 4);
  });
});
