import { describe, expect, test } from 'vitest';
import { plansOf } from '../../server/engine/index.ts';
import { fingerprintOf } from '../../server/engine/plan/fingerprint.ts';
import { diagnostics } from '../../server/features/diagnostics.ts';
import { readKnownLimits } from '../../server/features/limits/knownLimits.ts';
import { openDrawn } from '../support/engine/drawn.ts';

const drawing = `
  config: { edition: 3 }
  streams:
    lists:
      query: SELECT * FROM lists WHERE id IN (SELECT list FROM members WHERE user_id = auth.user_id())
    own:
      query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

interface Amounts {
  readonly buckets?: number;
  readonly results?: number;
  readonly reference?: number;
}

const nothing = { buckets: 0, results: 0, reference: 0 };
const both = { buckets: 1_000, results: 1_000 };

/** Returns the forecast of a service that has the streams of this text. */
function forecastOf(text: string, lists: Amounts, total: Amounts = lists, limits = both): object {
  const { config } = openDrawn(text).analysis;
  const streams = (config === undefined ? [] : plansOf(config)).map((plan) => ({
    ...nothing,
    buckets: 1,
    ...(plan.name === 'lists' && lists),
    name: plan.name,
    fingerprint: fingerprintOf(plan),
  }));
  const most = [
    { values: ['bob'], ...nothing },
    { values: ['ada'], ...nothing, ...total },
  ];
  return { limits, streams, groups: [{ by: ['auth.user_id()'], streams, most }] };
}

/** Returns the reported messages, each with the text of its place. */
function said(text: string, forecast: unknown, shown?: 'off' | 'information'): readonly string[] {
  const { analysis, text: file } = openDrawn(text);
  return diagnostics(analysis, shown && (() => shown), readKnownLimits(forecast))
    .filter(({ code }) => code === 'near-limit')
    .map(({ span, severity, message }) => `${file.slice(span.start, span.end)} ${severity}: ${message}`);
}

describe('near-limit', () => {
  test('warns from 80 % of a limit at the stream with the highest number, and reports the client and the number', () => {
    expect(said(drawing, forecastOf(drawing, { reference: 799 }))).toEqual([]);
    expect(said(drawing, forecastOf(drawing, { reference: 700 }, { reference: 800 }))).toEqual([
      'lists warning: A client with `auth.user_id() = "ada"` gets 800 of the 1000 results that PowerSync\'s service reads for one client. No stream needs more of them than this one. With more, that service refuses the client.',
    ]);
    expect(said(drawing, forecastOf(drawing, { reference: 1_235, buckets: 295 }))).toEqual([
      expect.stringContaining('gets 1235 of the 1000 results'),
    ]);
    expect(said(drawing, forecastOf(drawing, { buckets: 1_200, results: 1_200 }))).toEqual([
      expect.stringMatching(/has 1200 of the 1000 buckets .* Streams are left out for it\.$/),
    ]);
  });

  test('has the severity that the user chose', () => {
    const forecast = forecastOf(drawing, { buckets: 900 });
    expect(said(drawing, forecast, 'off')).toEqual([]);
    expect(said(drawing, forecast, 'information')).toEqual([expect.stringMatching(/^lists information: /)]);
  });

  test('is not reported if a deployed stream has changed', () => {
    const forecast = forecastOf(drawing, { buckets: 900 });
    expect(said(drawing.replace('user_id =', 'member ='), forecast)).toEqual([]);
    expect(said(drawing.replace('owner =', 'author ='), forecast)).toEqual([]);
    expect(said(drawing.slice(0, drawing.indexOf('    own:')), forecast)).toEqual([]);
    const more = `${drawing.trimEnd()}\n    all:\n      query: SELECT * FROM settings\n`;
    expect(said(more, forecast)).toHaveLength(1);
  });

  test('is silenced by a comment, which is never reported as unused', () => {
    const silenced = drawing.replace('    lists:', '    # headwater-ignore near-limit\n    lists:');
    expect(said(silenced, forecastOf(drawing, { buckets: 900 }))).toEqual([]);
    const { analysis } = openDrawn(silenced);
    expect(diagnostics(analysis).map(({ code }) => code)).not.toContain('unused-ignore');
  });

  test('works with very low and very high limits', () => {
    const one = { buckets: 1, results: 1, reference: 1 };
    const least = { buckets: 0, results: 0 };
    expect(said(drawing, forecastOf(drawing, one, one, least))).toEqual([
      expect.stringContaining('has 1 of the 0 buckets'),
    ]);
    expect(said(drawing, forecastOf(drawing, nothing, nothing, least))).toEqual([]);
    const most = { buckets: 1_000_000_000, results: 1_000_000_000 };
    const many = { buckets: 5_000, results: 5_000, reference: 90_000 };
    expect(said(drawing, forecastOf(drawing, many, many, most))).toEqual([]);
  });

  test('is also reported in a service config that contains the sync config', () => {
    const outer = `
      replication: { connections: [{ type: postgresql, uri: x }] }
      sync_config:
        content: |
          config: { edition: 3 }
          streams:
            lists:
              query: SELECT * FROM lists WHERE id IN (SELECT list FROM members WHERE user_id = auth.user_id())
    `;
    const inner = drawing.slice(0, drawing.indexOf('    own:'));
    expect(said(outer, forecastOf(inner, { buckets: 900 }))).toEqual([
      expect.stringMatching(/^lists warning/),
    ]);
  });

  test('ignores an invalid forecast', () => {
    for (const groups of [null, 7, [null], [{ by: 1, most: [{}], streams: [{}] }], [{ most: 'x' }]])
      expect(said(drawing, { ...forecastOf(drawing, { buckets: 900 }), groups })).toEqual([]);
  });
});
