import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SecretStorage } from 'vscode';
import type { TokenVerdict } from '../../../../client/api/api.ts';
import type { Consent } from '../../../../client/project/trust.ts';
import type { Target, TokenSource } from '../../../../client/vscode/targets/target.ts';
import { openTokens } from '../../../../client/vscode/targets/tokens.ts';

const typed = vi.hoisted(() => ({ text: undefined as string | undefined, questions: 0 }));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: {
    showWarningMessage: async (question: string, _: object, yes: string) => {
      asked.questions.push(question);
      return asked.agrees ? yes : undefined;
    },
    showInputBox: async ({ password }: { password?: boolean }) => {
      if (password) typed.questions += 1;
      return typed.text;
    },
  },
}));

const asked = vi.hoisted(() => ({ questions: [] as string[], agrees: false }));

let consents: Consent[];
let secrets: Map<string, string>;

beforeEach(() => {
  secrets = new Map();
  consents = [];
  verdicts = [];
  asked.questions = [];
  Object.assign(typed, { text: undefined, questions: 0 });
});

/** The verdicts of the service on entered tokens, in order. Any later token is accepted. */
let verdicts: TokenVerdict[];

function tokens() {
  const storage = {
    get: async (key: string) => secrets.get(key),
    store: async (key: string, value: string) => void secrets.set(key, value),
  };
  const ofLocal = async () => 'of the local service';
  const known = {
    has: (consent: Consent) => consents.includes(consent),
    add: async (consent: Consent) => void consents.push(consent),
  };
  return openTokens(
    storage as unknown as SecretStorage,
    ofLocal,
    known,
    async () => verdicts.shift() ?? 'accepted',
  );
}

function target(token: TokenSource, url = 'https://sync.example/a'): Target {
  return { id: 'a', name: 'staging', kind: 'remote', url, token, origin: 'settings' };
}

test('A token is entered once, without being shown, and stored for the origin of the address', async () => {
  typed.text = '  secret\n';
  expect(await tokens().of(target({ kind: 'stored' }), 'asks')).toMatchObject({ token: 'secret' });
  expect(await tokens().of(target({ kind: 'stored' }, 'https://sync.example/b'), 'asks')).toMatchObject({
    token: 'secret',
  });
  expect(typed.questions).toBe(1);
});

test('A token is stored only when the service accepts it; until then the user is asked again', async () => {
  typed.text = 'wrong';
  verdicts = ['refused', 'refused', 'accepted'];
  const asking = tokens();
  expect(await asking.of(target({ kind: 'stored' }), 'asks')).toMatchObject({ token: 'wrong' });
  expect(typed.questions).toBe(3);
  expect([...secrets.values()]).toEqual(['wrong']);
});

test('A token that the service could not check is used but not stored', async () => {
  typed.text = 'perhaps';
  verdicts = ['unknown'];
  expect(await tokens().of(target({ kind: 'stored' }), 'asks')).toMatchObject({ token: 'perhaps' });
  expect(secrets.size).toBe(0);
});

test('A refused token stays stored until the user enters a new one', async () => {
  const asking = tokens();
  typed.text = 'old';
  await asking.of(target({ kind: 'stored' }), 'asks');
  typed.text = undefined;
  expect(await asking.askAgain(target({ kind: 'stored' }), 'refused')).toBeUndefined();
  expect([...secrets.values()]).toEqual(['old']);
  typed.text = 'new';
  expect(await asking.askAgain(target({ kind: 'stored' }), 'refused')).toMatchObject({ token: 'new' });
  expect([...secrets.values()]).toEqual(['new']);
});

test('A target with the same name and another address does not get the token', async () => {
  typed.text = 'secret';
  await tokens().of(target({ kind: 'stored' }), 'asks');
  expect(await tokens().of(target({ kind: 'stored' }, 'https://evil.example'), 'quiet')).toMatchObject({
    token: undefined,
  });
});

test('A quiet request does not ask the user for a token', async () => {
  expect(await tokens().of(target({ kind: 'stored' }), 'quiet')).toMatchObject({ token: undefined });
  expect(typed.questions).toBe(0);
});

test('A request ends without a result if the user enters no token', async () => {
  expect(await tokens().of(target({ kind: 'stored' }), 'asks')).toBeUndefined();
  expect(secrets.size).toBe(0);
});

test('A variable is read from the environment, otherwise from the file that defines it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-env-'));
  const envFile = join(folder, '.env');
  writeFileSync(envFile, 'DEV_TOKEN="from the file"\n');
  const of = () => tokens().of(target({ kind: 'variable', name: 'DEV_TOKEN', envFile }), 'asks');
  expect(await of()).toMatchObject({ token: 'from the file' });
  vi.stubEnv('DEV_TOKEN', 'from the environment');
  expect(await of()).toMatchObject({ token: 'from the environment' });
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  expect(await of()).toMatchObject({ token: undefined });
});

test('Tokens from variables, files and the local service are never stored', async () => {
  vi.stubEnv('STAGING_TOKEN', 'from the environment');
  const of = (token: TokenSource) => tokens().of(target(token), 'asks');
  expect(await of({ kind: 'variable', name: 'STAGING_TOKEN' })).toEqual({
    token: 'from the environment',
    origin: 'the variable STAGING_TOKEN',
  });
  expect(await of({ kind: 'written', value: 'w', file: 'cli.yaml' })).toEqual({
    token: 'w',
    origin: 'cli.yaml',
  });
  expect(await of({ kind: 'local' })).toMatchObject({ token: 'of the local service' });
  expect(secrets.size).toBe(0);
  vi.unstubAllEnvs();
});

const foreign: Consent = { origin: 'https://sync.example', isForeign: true, variables: [] };

test('A token in a workspace file needs consent once, and a quiet request does not ask for it', async () => {
  const written = target({ kind: 'written', value: 'w', file: 'cli.yaml' });
  const of = (asks: 'asks' | 'quiet') => tokens().of({ ...written, consent: foreign }, asks);
  expect(await of('quiet')).toBeUndefined();
  expect(asked.questions).toEqual([]);
  asked.agrees = false;
  expect(await of('asks')).toBeUndefined();
  asked.agrees = true;
  expect(await of('asks')).toMatchObject({ token: 'w' });
  expect(await of('quiet')).toMatchObject({ token: 'w' });
  expect(asked.questions).toHaveLength(2);
});

test('A token that the user has entered for an address needs no further consent', async () => {
  typed.text = 'secret';
  expect(await tokens().of({ ...target({ kind: 'stored' }), consent: foreign }, 'asks')).toMatchObject({
    token: 'secret',
  });
  expect(asked.questions).toEqual([]);
});
