/** Previews the rows that a client gets from a running service, with the same request that the client would send. */
import type { SyncReason, SyncResult } from '../../api/synced.ts';
import { signToken } from '../clientTokens.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { findInstanceFor } from '../instance.ts';
import { secretsOrigin } from '../project/running.ts';
import { readObject } from '../tracing.ts';
import type { World } from '../world.ts';
import type { PreviewCall } from './call.ts';

export async function previewService(call: PreviewCall): Promise<Answer> {
  const { words, text, texts, world, paint, progress } = call;
  if (words.length > 0 || text('rows') !== undefined)
    throw new CliFailure(
      'FILE and --rows cannot be combined with --live, --service or --directory, because the service has the config and the rows.',
    );
  const parameters = await objectOf(call, 'parameters');
  const subscriptions = await Promise.all(
    texts('subscribe').map(async (given) => {
      const [stream = '', ...rest] = given.split('=');
      const written = rest.length === 0 ? undefined : rest.join('=');
      return {
        stream,
        parameters: written === undefined ? null : await readPlain(written, '--subscribe', world),
      };
    }),
  );
  const token = await tokenFor(call);
  const signed = text('config') === undefined ? await secretsOrigin(world) : 'the service config';
  const tokenOrigin = text('token') === undefined ? signed : '--token';
  const api = await world.openApi(await findInstanceFor({ token, tokenOrigin }, call));
  try {
    const onRows = (rows: number): void => {
      // A smaller answer arrives at once.
      if (rows > 1_000) progress.show(`${rows} rows …`);
    };
    const synced = await api.syncOnce({ parameters, subscriptions }, { onRows, signal: world.signal });
    return answerOf(synced, paint);
  } finally {
    await api.close();
  }
}

async function tokenFor(call: PreviewCall): Promise<string> {
  const { text, world } = call;
  const [token, user] = [text('token'), text('user')];
  if (token !== undefined) return token;
  if (user === undefined) throw new CliFailure('No user specified. Use --user USER or --token TOKEN.');
  const claims = await objectOf(call, 'claims');
  return (await signToken({ ...claims, sub: user }, { config: text('config') }, world)).token;
}

async function objectOf({ text, world }: PreviewCall, option: 'claims' | 'parameters'): Promise<Plain> {
  const given = text(option);
  return given === undefined ? {} : readPlain(given, `--${option}`, world);
}

type Plain = Readonly<Record<string, unknown>>;

/** Returns the object in a form that can be sent. Refuses an integer that would lose digits. */
async function readPlain(given: string, option: string, world: World): Promise<Plain> {
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'bigint') return value;
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw new CliFailure(`${option}: ${value} is too large to be sent as a number. Put it in quotes.`);
  };
  const object = await readObject(given, option, world);
  return JSON.parse(JSON.stringify(object, (_, value) => plain(value))) as Plain;
}

function answerOf({ buckets, isWhole, opId, problems, unknownStreams }: SyncResult, paint: Paint): Answer {
  return {
    code: buckets.length > 0 && isWhole && problems.length === 0 && unknownStreams.length === 0 ? 0 : 1,
    json: {
      buckets: buckets.map(({ name, rows, ...bucket }) => ({
        bucket: name,
        ...bucket,
        rows: rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as unknown })),
      })),
      checkpoint: opId,
      whole: isWhole,
      problems,
      unknownStreams,
    },
    lines: [
      ...buckets.flatMap(({ name, reasons, rows }) => [
        `${paint.bold(harmless(name))} ${paint.dim(`because of ${reasons.map(reasonText).join(', ')}`)}`,
        ...rows.map(({ table, data }) => `  ${harmless(table)} ${harmless(data)}`),
      ]),
      ...(buckets.length === 0 ? ['This client has no buckets.'] : []),
      ...problems.map((problem) => paint.yellow(`The service reports: ${harmless(problem)}`)),
      ...unknownStreams.map((stream) => paint.yellow(`There is no stream ${harmless(stream)}.`)),
      ...(isWhole
        ? []
        : [paint.yellow('Reading stopped before the last row, so some of these rows may no longer exist.')]),
    ],
  };
}

function reasonText({ stream, subscription }: SyncReason): string {
  return subscription === 'default'
    ? `${harmless(stream)}, auto-subscribed`
    : `${harmless(stream)}, subscription ${subscription + 1}`;
}
