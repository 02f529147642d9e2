/** Passes requests of the console to the selected service, and returns the answers. Tokens stay in the extension. */
import { diagnosisPath } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { streamsPath } from '../../api/explained.ts';
import { ApiFailure, isFailure } from '../../api/failure.ts';
import { fieldsOf, textIn } from '../../api/reading.ts';
import type { FromEditor, SentFailure, ToEditor } from '../../console/link/messages.ts';
import type { ListedConfig } from '../../deploying/history.ts';
import { t } from '../../l10n.ts';

export interface RelayWorld {
  /** Returns the service, or a sentence with the reason if there is none. */
  readonly reach: () => Promise<{ readonly api: Api } | { readonly why: string }>;
  /** Returns a connection as the client of this token, which comes from the app or from our key. The caller closes it. */
  readonly reachAs: (token: string) => Promise<Api>;
  /** Signs a token with a key of the project. Undefined if there is no key. */
  readonly sign: (claims: Claims) => Promise<string | undefined>;
  /** Returns the streams that clients can ask for, in the form of our service; undefined if they are unknown. */
  readonly streams: () => Promise<object | undefined>;
  /** Asks for a diagnosis, and passes the answer on to the rest of the editor. */
  readonly share: (api: Api, ask: () => ReturnType<Api['ask']>) => ReturnType<Api['ask']>;
  /** Returns each deployed config of the service once, newest first. */
  readonly configs: (api: Api) => Promise<readonly ListedConfig[]>;
  readonly send: (message: FromEditor) => void;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

type RelayedQuestion = Extract<ToEditor, { kind: 'call' | 'events' | 'sync' | 'configs' }>;

interface Relay {
  take(question: RelayedQuestion): Promise<void>;
  cancel(number: number): void;
  cancelAll(): void;
}

const eventsPath = '/api/admin/v1/events';
/** The paths that the console may call. */
const allowed = /^\/api\/admin\/v1\/[\w-]+$|^\/api\/sync-rules\/v1\/[\w-]+$/;

export function openRelay(world: RelayWorld): Relay {
  const open = new Map<number, AbortController>();

  async function take(question: RelayedQuestion): Promise<void> {
    const { number } = question;
    const ending = new AbortController();
    open.set(number, ending);
    const send = (message: FromEditor): void => {
      if (!ending.signal.aborted) world.send(message);
    };
    try {
      const reached = await world.reach();
      if ('why' in reached)
        return send({ kind: 'failed', number, failure: { kind: 'no service', message: reached.why } });
      const onLine = (value: unknown) => send({ kind: 'line', number, value });
      const answered = await answer(question, reached.api, onLine, ending.signal);
      send({ kind: 'done', number, ...answered });
    } catch (error) {
      send({ kind: 'failed', number, failure: failureFor(error) });
    } finally {
      open.delete(number);
    }
  }

  async function answer(
    question: RelayedQuestion,
    api: Api,
    onLine: (line: unknown) => void,
    signal: AbortSignal,
  ): Promise<{ readonly value?: unknown; readonly at?: number }> {
    switch (question.kind) {
      case 'call':
        if (!allowed.test(question.path))
          throw new Error(t('The console may not ask for {0}.', question.path));
        if (question.path === diagnosisPath) {
          // The tree also shows clients.
          const body = { ...question.body, connected_clients: true };
          return world.share(api, () => api.ask(question.method, diagnosisPath, body, signal));
        }
        try {
          return await api.ask(question.method, question.path, question.body, signal);
        } catch (error) {
          const isKnownHere = question.path === streamsPath && isFailure(error, 'unsupported');
          const data = isKnownHere ? await world.streams() : undefined;
          if (data === undefined) throw error;
          return { value: { data } };
        }
      case 'configs':
        return { value: await world.configs(api) };
      case 'events':
        await api.follow(eventsPath, {}, onLine, signal);
        return {};
      case 'sync': {
        const { user, claims, body } = question.request;
        const client = await world.reachAs(await tokenFor(api, { ...claims, sub: user }, signal));
        await client.follow('/sync/stream', body, onLine, signal).finally(() => client.close());
        return {};
      }
    }
  }

  /** Returns a token that is signed with a key of the project, otherwise by the service if it signs tokens. */
  async function tokenFor(api: Api, claims: Claims, signal: AbortSignal): Promise<string> {
    const own = await world.sign(claims);
    if (own !== undefined) return own;
    const { sub, ...others } = claims;
    const path = '/api/admin/v1/client-token';
    const { value } = await api
      .ask('POST', path, { user_id: sub, claims: others }, signal)
      .catch((error: unknown) => {
        throw isFailure(error, 'unsupported')
          ? new ApiFailure('refused', noKey(), { code: noSecret })
          : error;
      });
    const token = textIn(fieldsOf(fieldsOf(value).data), 'token');
    if (token === undefined) throw new Error(t('The service does not sign client tokens.'));
    return token;
  }

  return {
    take,
    cancel(number) {
      open.get(number)?.abort();
      open.delete(number);
    },
    cancelAll() {
      for (const ending of open.values()) ending.abort();
      open.clear();
    },
  };
}

/** The error code of our service after which the stream is not requested again. */
const noSecret = 'S4108';

function noKey(): string {
  return t(
    'Streams are read with a token of the user, and there is no key here to sign one. Name the service config with its key of type oct, or run Headwater: Preview as User with a token of the app.',
  );
}

function failureFor(error: unknown): SentFailure {
  if (!isFailure(error))
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  const { kind, message, facts } = error;
  return { kind: kinds[kind], message, code: facts.code };
}

const kinds = {
  unreachable: 'unreachable',
  untrusted: 'unreachable',
  slow: 'unreachable',
  lost: 'unreachable',
  cancelled: 'unreachable',
  foreign: 'unreachable',
  busy: 'unreachable',
  unsupported: 'absent',
  tokenless: 'signed out',
  unauthorized: 'signed out',
  refused: 'refused',
  failed: 'refused',
} as const;
