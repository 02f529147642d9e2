/** Compares our answers to valid and invalid requests with those of the reference service. No config is deployed. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { adminCheck } from '../../../server/service/http/auth/access.ts';
import type { Route } from '../../../server/service/http/route.ts';
import { ask, route, serve } from '../../support/processes/http.ts';

interface RecordedRows {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly code?: string;
  /** Whether the error has details, which are a list as JSON text. */
  readonly details?: boolean;
}

const recordings = JSON.parse(
  readFileSync(new URL('../../fixtures/recordings/control.json', import.meta.url), 'utf8'),
) as readonly RecordedRows[];

const nothingActive = async () => {
  throw new ServiceError('SVC_S4104');
};

const routes: readonly Route[] = [
  route({ path: '/api/sync-rules/v1/current', access: 'admin', answer: nothingActive }),
  route({
    method: 'POST',
    path: '/api/sync-rules/v1/deploy',
    access: 'admin',
    body: 'yaml',
    problemsIn: ({ content }) => (typeof content === 'string' ? [] : ['`content` must be a string.']),
    answer: nothingActive,
  }),
  route({
    method: 'POST',
    path: '/api/sync-rules/v1/reprocess',
    access: 'admin',
    body: 'json',
    problemsIn: (parameters) => Object.keys(parameters).map((key) => `There is no \`${key}\`.`),
    answer: nothingActive,
  }),
  route({ path: '/probes/liveness', group: 'probe', answer: async () => ({ plain: { ready: true } }) }),
];

/** Requests that our service refuses because of their token, before it does any work for the body. */
const refusedEarlier = new Set(['auth-missing-deploy-emptybody', 'auth-wrong-deploy-json-nocontent']);

test('the token is checked before the body', async () => {
  for (const { method, path, headers, body } of recordings.filter(({ name }) => refusedEarlier.has(name))) {
    const access = { admin: adminCheck(['peer-api-token']), user: async () => expect.unreachable() };
    const answer = await ask(await serve(routes, { access }), {
      method,
      path,
      headers,
      ...(body !== null && { body }),
    });
    expect(answer.status).toBe(401);
  }
});

describe('answers have the status, code and headers of the reference service', () => {
  test.each(recordings.filter(({ name }) => !refusedEarlier.has(name)))('$name', async (recorded) => {
    const access = { admin: adminCheck(['peer-api-token']), user: async () => expect.unreachable() };
    const server = await serve(routes, { access });
    const { method, path, headers, body } = recorded;
    const answer = await ask(server, { method, path, headers, ...(body !== null && { body }) });
    expect(answer.status).toBe(recorded.status);
    expect(normalized(answer.headers)).toEqual(normalized(recorded.answerHeaders));
    if (recorded.code === undefined) return;
    const { error } = answer.json as { error: { code: string; status: number; details?: string } };
    expect(error).toMatchObject({ code: ourCode(recorded.code), status: recorded.status });
    if (recorded.details) expect(JSON.parse(error.details ?? '')).toHaveLength(1);
  });
});

/** Translates a recorded code into ours. Codes with `FST_` come from the web framework of the reference service. */
function ourCode(code: string): string {
  return code.startsWith('FST_') ? 'SVC_S2001' : code.replace('PSYNC_', 'SVC_');
}

function normalized(headers: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(headers).filter(([name]) => /^(access-control-|content-type$)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value).replaceAll(', ', ',')]));
}
