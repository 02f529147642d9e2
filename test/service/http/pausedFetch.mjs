/** A client that opens a stream but does not read it until it gets a message. Then it reads until the stream ends or fails. */
const [port, encoding] = process.argv.slice(2);
const { body } = await fetch(`http://127.0.0.1:${port}/sync/stream`, {
  method: 'POST',
  headers: {
    authorization: 'Token reader',
    'content-type': 'application/json',
    'accept-encoding': String(encoding),
  },
  body: '{"raw_data":true}',
});
process.once('message', async () => {
  // The connection has already ended, but Node may not have noticed the end yet.
  await new Promise((resolve) => setTimeout(resolve, 200));
  try {
    for await (const _ of body ?? []);
  } catch {
    // A broken connection is expected.
  }
  process.disconnect();
});
process.send?.('begun');
