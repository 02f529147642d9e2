/** Reads a stream of lines, each a JSON value. */
import { CallFailure, type OnLine } from './transport.ts';

/** Reads the lines. Resolves at the end of the stream, or when the signal is aborted. */
export async function readLines(
  response: Pick<Response, 'body'>,
  onLine: OnLine,
  signal: AbortSignal,
): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(JSON.parse(line));
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof SyntaxError)
      throw new CallFailure('refused', 'The service sent something that is not JSON.');
    throw new CallFailure('unreachable', 'The connection to the service was lost.');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
