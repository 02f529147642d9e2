/** Whether a program that only follows the answers of the tools can repair wrong configs. */
import { describe, expect, test } from 'vitest';
import { repairByTools, tablesForWrongConfigs, toolsIn, wrongConfigs } from '../../support/cli/agents.ts';
import { someOf } from '../../support/house/share.ts';

/** Wrong configs whose correction depends on the author's intention or requires a different query. */
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

  test('number forty, and each has an error', async () => {
    expect(configs).toHaveLength(40);
    for (const { name, text } of configs) {
      const { answer } = await call('validate_config', { text });
      expect(answer.errors, name).toBeGreaterThan(0);
    }
  });

  test('can be repaired by tool calls alone, except for the undecided ones', async () => {
    const left: string[] = [];
    const some = someOf(configs);
    for (const { name, text } of some) if ((await repairByTools(text, call)).left.length > 0) left.push(name);
    expect(left).toEqual(undecided.filter((name) => some.some((config) => config.name === name)));
    expect(some.length - left.length).toBeGreaterThanOrEqual((some.length * 3) / 4);
  });
});
