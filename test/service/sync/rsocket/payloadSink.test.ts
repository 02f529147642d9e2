import { expect, test } from 'vitest';
import { payloadSink } from '../../../../server/service/sync/rsocket/payloadSink.ts';

/** Opens a sink for a client that has requested `credit` lines. Also returns the lines that were sent. */
function open(credit: number) {
  const sent: string[] = [];
  const sink = payloadSink(credit, async (line) => {
    sent.push(Buffer.from(line).toString());
  });
  const send = (text: string) => sink.send({ lines: text.split(' ').map((line) => Buffer.from(line)) });
  return { sent, sink, send };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('A client gets as many lines as it has requested, and further lines when it requests more', async () => {
  const { sent, sink, send } = open(2);
  const sending = send('a b c d');
  await turn();
  expect(sent).toEqual(['a', 'b']);
  sink.grant(1);
  await turn();
  expect(sent).toEqual(['a', 'b', 'c']);
  sink.grant(5);
  await sending;
  expect(sent).toEqual(['a', 'b', 'c', 'd']);
});

test('Lines sent at once keep their order', async () => {
  const { sent, sink, send } = open(1);
  void send('a b');
  void send('c');
  sink.grant(2);
  await sink.drained();
  expect(sent).toEqual(['a', 'b', 'c']);
});

test('A repeated request without a limit stays without a limit', async () => {
  const { sent, sink, send } = open(0x7fff_ffff);
  sink.grant(0x7fff_ffff);
  await send('a b');
  expect(sent).toEqual(['a', 'b']);
});

test('Waiting lines are dropped at the end of the connection, and their senders stop waiting', async () => {
  const { sent, sink, send } = open(1);
  const sending = send('a b');
  await turn();
  sink.close();
  await sending;
  await send('c');
  sink.grant(5);
  await sink.drained();
  expect(sent).toEqual(['a']);
});
