/**
 * Downloads a small text over HTTP, but not from every address. A name is resolved once, its addresses are checked, and the
 * connection uses only the checked ones. So a later answer of the name server has no effect.
 */
import { lookup as resolveName } from 'node:dns';
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { ClientAuthSettings } from '../../config/settings.ts';
import { type AddressRules, addressRules, literalHost } from '../../ground/addresses.ts';
import { ServiceError } from '../../ground/errors.ts';
import { openSlices } from '../../ground/slices.ts';
import { readInParts } from '../parts.ts';
import { isWithinPieceBudget, limitPieces } from '../pieces.ts';

export type Download = (
  url: URL,
  settings: Pick<ClientAuthSettings, 'rejectIpRanges' | 'blockLocalKeySets'>,
) => Promise<string>;

/** The time limit in milliseconds. */
const longest = 30_000;
/** The maximum size in bytes. A key has one or two thousand. */
const largest = 1024 * 1024;
const mostRedirects = 3;

export const download: Download = (url, settings) => downloadWithin(longest, url, settings);

/** @param limit the time limit in milliseconds */
export async function downloadWithin(
  limit: number,
  url: URL,
  { rejectIpRanges, blockLocalKeySets }: Parameters<Download>[1],
): Promise<string> {
  const rules = addressRules(blockLocalKeySets ? [...rejectIpRanges, 'local'] : rejectIpRanges);
  const signal = AbortSignal.timeout(limit);
  let from = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    checkHost(from, rules, blockLocalKeySets);
    let response: IncomingMessage | undefined;
    try {
      response = await get(from, { signal, lookup: checkedLookup(rules), agent: false });
      const target = redirectOf(response, from);
      if (target === undefined) return await readText(response);
      from = target;
    } catch (error) {
      throw signal.aborted
        ? new Error(`${from.host} does not answer within ${limit / 1000} s.`)
        : explain(error, from);
    } finally {
      // Ends the download, because the remaining part of the answer is not needed.
      response?.destroy();
    }
  }
  throw new Error('There are too many redirects.');
}

/** Returns an error with a sentence. Only errors of Node have a code and are not ours. */
function explain(error: unknown, { host, hostname }: URL): unknown {
  if (error instanceof ServiceError || !(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  const sentence = ofConnection[code]?.(host, hostname) ?? `The connection to ${host} failed (${code}).`;
  return new Error(sentence, { cause: error });
}

const ofConnection: Readonly<Record<string, (host: string, hostname: string) => string>> = {
  ENOTFOUND: (_, hostname) => `The host ${hostname} is unknown.`,
  EAI_AGAIN: (_, hostname) => `The host ${hostname} cannot be looked up at the moment.`,
  ECONNREFUSED: (host) => `Nothing listens at ${host}.`,
};

/** Checks a literal address, which needs no name server and so is never looked up. */
function checkHost(url: URL, rules: AddressRules, blocksLocal: boolean): void {
  if (!/^https?:$/.test(url.protocol)) throw new Error('A redirect uses another protocol.');
  const host = literalHost(url);
  if (blocksLocal && isIP(host) === 6) throw new ServiceError('SVC_S2202');
  if (rules.rejectsHost(host)) throw new ServiceError('SVC_S2203');
}

function checkedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const rejected = addresses?.some(({ address }) => rules.rejects(address));
      const failure = error ?? (rejected ? new ServiceError('SVC_S2203') : null);
      const [first] = addresses ?? [];
      if (failure !== null || first === undefined) callback(failure, '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function get(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? getSecure : getPlain;
    start(url, { ...options, headers: { Accept: 'application/json' } })
      .on('response', (response) => {
        refuseTinyPieces(response);
        resolve(response);
      })
      .on('socket', (socket) => readInParts(socket, openSlices()))
      .on('error', reject);
  });
}

function refuseTinyPieces(response: IncomingMessage): void {
  limitPieces(response, (pieces, bytes) => {
    if (isWithinPieceBudget(pieces, bytes)) return true;
    response.destroy(new Error('The answer consists of too many small pieces.'));
    return false;
  });
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  const target = URL.parse(headers.location, from);
  if (target === null) throw new Error('A redirect has no valid URL.');
  return target;
}

async function readText(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`The answer has status ${response.statusCode}.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
