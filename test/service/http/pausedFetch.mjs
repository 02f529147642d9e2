/** A client that asks for a stream and reads none of it until it is told to: then it reads on to its end or its error. */
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
  // The connection has ended before, but Node may not have seen it yet.
  await new Promise((resolve) => setTimeout(resolve, 200));
  try {
    for await (const _ of body ?? []);
  } catch {
    // A broken connection is what this is about.
  }
  process.disconnect();
});
process.send?.('begun');
