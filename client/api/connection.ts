/** Sends requests over persistent connections, each with its own timeout, and through a proxy if one is needed. */
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { t } from '../l10n.ts';
import { type Address, readAddress } from './address.ts';
import { explainTransport } from './explain.ts';
import { ApiFailure } from './failure.ts';

export interface Endpoint {
  readonly url: string;
  /** The user's name for the service, for messages. */
  readonly name?: string | undefined;
  readonly token?: string | undefined;
  /** The origin of the token, for messages: `the variable STAGING_TOKEN`. */
  readonly tokenOrigin?: string | undefined;
  /** Certificates in PEM format that are trusted in addition to those of Node. */
  readonly ca?: string | undefined;
  /** The proxy of the editor or the environment. Loopback addresses never go through it. */
  readonly proxy?: ProxySettings | undefined;
}

export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** The hosts that need no proxy, separated by commas. */
  readonly except?: string | undefined;
  /** Whether to accept any certificate of the service, as `http.proxyStrictSSL: false` requests. */
  readonly lax?: boolean | undefined;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The query, which begins with a question mark. */
  readonly query?: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** Whether the call is sent without the token, because it needs none. */
  readonly isPublic?: true;
  /** The timeout for the complete answer, in milliseconds. */
  readonly limit: number;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly location: string | undefined;
  readonly text: string;
  /** The time on the service's clock if the service sent it, otherwise on ours. Milliseconds since 1970. */
  readonly at: number;
}

/** A reply that is read while it arrives. Its connection closes when the reader stops. */
interface Stream extends Omit<Reply, 'text'> {
  readonly lines: AsyncIterable<string>;
}

export interface Connection {
  readonly address: Address;
  send(call: ApiCall, signal?: AbortSignal): Promise<Reply>;
  /** Returns a complete reply instead of a stream if the call did not succeed. */
  stream(call: ApiCall, signal?: AbortSignal): Promise<Stream | Reply>;
  close(): Promise<void>;
}

/** The maximum size of an answer in bytes. The schema of a large database has a few megabytes. */
const longestAnswer = 64 * 1024 * 1024;
/** The timeout for connecting, in milliseconds. */
const connectLimit = 5_000;

export function openConnection(endpoint: Endpoint): Connection {
  const address = withServerName(readAddress(endpoint.url), endpoint.name);
  const { token } = endpoint;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new ApiFailure(
      'unauthorized',
      t(
        'The token from {0} contains spaces, line breaks or letters that are not allowed in a token.',
        endpoint.tokenOrigin ?? t('the settings'),
      ),
    );
  const dispatcher = dispatcherFor(endpoint, address);

  async function open({ method, path, query = '', body, isPublic }: ApiCall, signal: AbortSignal) {
    const answer = await request(`${address.origin}${address.prefix}${path}${query}`, {
      dispatcher,
      method,
      headers: {
        accept: 'application/json, application/x-ndjson',
        ...(token !== undefined && !isPublic && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': body.type }),
      },
      ...(body && { body: body.text }),
      signal,
    });
    const { headers, statusCode: status } = answer;
    const head = {
      status,
      type: one(headers['content-type']) ?? '',
      location: one(headers.location),
      at: Date.parse(one(headers.date) ?? '') || Date.now(),
    };
    return { head, body: answer.body };
  }

  /** Combines the timeout of a call with the caller's abort signal. */
  function boundsOf({ limit }: ApiCall, signal: AbortSignal | undefined) {
    const timeout = AbortSignal.timeout(limit);
    return {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      explain: (error: unknown) =>
        explainTransport(error, {
          address,
          limit,
          timedOut: timeout.aborted,
          cancelled: signal?.aborted === true,
        }),
    };
  }

  return {
    address,
    async send(call, signal) {
      const bounds = boundsOf(call, signal);
      try {
        const { head, body } = await open(call, bounds.signal);
        return { ...head, text: await body.text() };
      } catch (error) {
        throw bounds.explain(error);
      }
    },
    async stream(call, signal) {
      const bounds = boundsOf(call, signal);
      try {
        const { head, body } = await open(call, bounds.signal);
        if (head.status < 200 || head.status >= 300) return { ...head, text: await body.text() };
        return { ...head, lines: linesOf(body, bounds.explain) };
      } catch (error) {
        throw bounds.explain(error);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Adds the name of the service to its address, unless the name is the host. */
function withServerName(address: Address, name: string | undefined): Address {
  return name === undefined || name === address.host
    ? address
    : { ...address, host: `${name} (${address.host})`, shownOrigin: `${name} (${address.origin})` };
}

async function* linesOf(
  body: Dispatcher.ResponseData['body'],
  explain: (error: unknown) => ApiFailure,
): AsyncGenerator<string> {
  // Ending the connection early is not a failure.
  body.on('error', () => {});
  let rest = '';
  try {
    for await (const part of body.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw explain(error);
  }
  if (rest !== '') yield rest;
}

function dispatcherFor({ ca, proxy }: Endpoint, { loopback }: Address): Dispatcher {
  const tls = {
    ...(ca && { ca: [...rootCertificates, ca] }),
    ...(proxy?.lax && { rejectUnauthorized: false }),
  };
  const options = {
    connect: { timeout: connectLimit, ...tls },
    keepAliveTimeout: 30_000,
    // Each call has its own timeout instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: longestAnswer,
  };
  if (loopback) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    requestTls: tls,
    ...(proxy?.http && { httpProxy: proxy.http }),
    ...(proxy?.https && { httpsProxy: proxy.https }),
    ...(proxy?.except && { noProxy: proxy.except }),
  });
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
