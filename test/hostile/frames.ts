/** RSocket frames, built by hand. */
const type = Buffer.concat([Buffer.from([16]), Buffer.from('application/json')]);

export function setupFrame(token: string): Buffer {
  const head = Buffer.from('00000000050000010000', 'hex');
  return Buffer.concat([head, u32(20_000), u32(600_000), type, type, framed({ token: `Token ${token}` })]);
}

/** @param initial the number of payloads that the client requests at first */
export function requestFrame(initial: number): Buffer {
  const head = Buffer.from('000000011900', 'hex');
  return Buffer.concat([
    head,
    u32(initial),
    framed({ path: '/sync/stream' }),
    Buffer.from('{"raw_data":true}'),
  ]);
}

/** Returns a KEEPALIVE that asks the service to send data of this size back. */
export function keepaliveFrame(size: number): Buffer {
  return Buffer.concat([Buffer.from('000000000c80', 'hex'), Buffer.alloc(8 + size)]);
}

function framed(object: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(object));
  return Buffer.concat([u32(bytes.length).subarray(1), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
