/** Sentences for failures of the connection, and for unexpected answers of services. */

import { t } from '../l10n.ts';
import { type Address, parseUrl } from './address.ts';
import type { ApiCall, Reply } from './connection.ts';
import { ApiFailure, type FailureKind } from './failure.ts';
import { fieldsOf, textIn } from './reading.ts';

interface Circumstances {
  readonly address: Address;
  readonly limit: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
}

/** Explains an error of undici or Node. */
export function explainTransport(error: unknown, around: Circumstances): ApiFailure {
  const { address, limit, timedOut, cancelled } = around;
  const { host, shownOrigin } = address;
  const code = codeOf(error);
  const failure = (kind: FailureKind, sentence: string) =>
    new ApiFailure(kind, sentence, {}, { cause: error });
  if (cancelled) return failure('cancelled', t('Cancelled.'));
  if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/.test(code))
    return failure('untrusted', `${explainTls(code, host)} (${code}).`);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || unreachable[code] !== undefined) {
    const why = unreachable[code]?.() ?? t('the connection was refused.');
    return failure('unreachable', t('{0} cannot be reached: {1}', shownOrigin, why));
  }
  if (timedOut) return failure('slow', t('{0} did not answer within {1} s.', host, limit / 1000));
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return failure('foreign', t('The answer of {0} is too long to read.', host));
  return failure('lost', t('The connection to {0} was lost before it answered.', host));
}

const unreachable: Readonly<Record<string, () => string>> = {
  ECONNREFUSED: () => t('nothing listens there. Is the service running?'),
  ENOTFOUND: () => t('the host name does not exist.'),
  EAI_AGAIN: () => t('its name cannot be looked up at the moment. Is there a network connection?'),
  EHOSTUNREACH: () => t('there is no route to it.'),
  ENETUNREACH: () => t('there is no network connection.'),
  EADDRNOTAVAIL: () => t('this machine cannot use the address.'),
  ETIMEDOUT: () => t('the connection was refused.'),
  UND_ERR_INVALID_ARG: () => t('the address or the token cannot be sent.'),
};

function explainTls(code: string, host: string): string {
  if (code === 'CERT_HAS_EXPIRED') return t('The certificate of {0} has expired', host);
  if (/ALTNAME|HOSTNAME/.test(code)) return t('The certificate at {0} is for another name', host);
  if (/^(EPROTO|ERR_SSL)/.test(code)) return t('{0} does not use TLS at this address: try http://', host);
  return t(
    'The certificate of {0} is not signed by a trusted authority: set `ca` of the target to a file with the certificate of that authority',
    host,
  );
}

/** Returns the code of an error, which may be in an inner error. Of several attempts to connect, the first one is enough. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = fieldsOf(error instanceof Error ? { ...error, cause: error.cause } : error);
  if (typeof code === 'string') return code;
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return cause === undefined ? '' : codeOf(cause);
}

export interface SentToken {
  readonly sent: boolean;
  readonly origin: string | undefined;
}

/** Explains an answer that reports an error. */
export function explainReply(reply: Reply, call: ApiCall, { host }: Address, token: SentToken): ApiFailure {
  const { status } = reply;
  const { isKnown, code, description, details } = readProblem(reply.text);
  const said = [description, details].filter((part) => part !== undefined).join(': ');
  const failure = (kind: FailureKind, sentence: string) =>
    new ApiFailure(kind, sentence, { status, code, details });
  if (status >= 300 && status < 400) {
    const other = parseUrl(reply.location ?? '')?.host ?? t('another address');
    return failure('foreign', t('{0} redirects to {1}. Use the address of the service itself.', host, other));
  }
  if (status === 401) return failure(token.sent ? 'unauthorized' : 'tokenless', explainToken(host, token));
  if (status === 429) return failure('busy', t('{0} is receiving too many requests.', host));
  if (status === 503) return failure('busy', said || t('{0} is not available at the moment.', host));
  if (status === 404 && code === undefined)
    return failure('foreign', t('There is no sync service at {0}: {1} was not found.', host, call.path));
  if (status === 404 && code === 'S2002')
    return failure(
      'unsupported',
      t('The service at {0} is too old: it does not support {1}.', host, call.path),
    );
  if (code === undefined && !isKnown)
    return failure('foreign', t('{0} answered with status {1}, but not like a sync service.', host, status));
  if (status >= 500) return failure('failed', `${host}: ${said}`);
  return failure('refused', said || t('{0} refused the request with status {1}.', host, status));
}

function explainToken(host: string, { sent, origin }: SentToken): string {
  if (sent) return t('{0} does not accept the token from {1}.', host, origin ?? t('the settings'));
  return origin === undefined
    ? t('{0} requires a token, but none is set for it.', host)
    : t('{0} requires a token, but {1} has none.', host, origin);
}

/** Explains an answer that cannot be parsed. JSON that was cut short does not show that another program answers. */
export function explainNoJson({ status, text, type }: Reply, { host }: Address): ApiFailure {
  if (/^\s*[[{]/.test(text))
    return new ApiFailure('lost', t('The answer of {0} was cut short.', host), { status });
  const what = /html/i.test(type) ? t('a web page') : t('something other than JSON');
  const sentence = t('{0} answers with {1}, so it is not a sync service.', host, what);
  return new ApiFailure('foreign', sentence, { status });
}

function readProblem(text: string) {
  const { error } = fieldsOf(parseJson(text));
  const fields = fieldsOf(error);
  return {
    /** Whether the body has the form in which services report errors. */
    isKnown: error !== undefined,
    /** The code without its prefix: `SVC_S2101` and `PSYNC_S2101` mean the same. */
    code: textIn(fields, 'code')?.replace(/^(SVC|PSYNC)_/, ''),
    description: textIn(fields, 'description')?.replace(/\.$/, ''),
    details: readDetails(textIn(fields, 'details')),
  };
}

/** For invalid input, `details` is a list of sentences in JSON. */
function readDetails(details: string | undefined): string | undefined {
  const list = details?.startsWith('[') ? parseJson(details) : undefined;
  return Array.isArray(list) ? list.map(String).join(', ') : details;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
