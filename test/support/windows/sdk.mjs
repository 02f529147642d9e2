/**
 * Replaces the client SDK in Wine 8, because Wine cannot load the native library of the SDK. It has only the parts of the SDK that
 * `examples/todo/client.mjs` uses. It syncs one subscription, and keeps its rows in memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export const column = { text: 'text', integer: 'integer' };
export class Table {}
export class Schema {}

export class PowerSyncDatabase {
  #rows = new Map();
  #tell = () => {};
  #access;

  async disconnectAndClear() {}

  async connect({ fetchCredentials }) {
    this.#access = await fetchCredentials();
  }

  syncStream(stream, parameters) {
    return { subscribe: async () => void this.#syncForever({ stream, parameters, override_priority: null }) };
  }

  query() {
    const registerListener = ({ onDiff }) => {
      this.#tell = onDiff;
    };
    return { differentialWatch: () => ({ registerListener }) };
  }

  async #syncForever(subscription) {
    for (;;) {
      await this.#sync(subscription).catch((error) => console.error(error.message));
      await sleep(500);
    }
  }

  async #sync(subscription) {
    const { endpoint, token } = this.#access;
    const reply = await fetch(`${endpoint}/sync/stream`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        raw_data: true,
        streams: { include_defaults: false, subscriptions: [subscription] },
      }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    const operations = [];
    let rest = '';
    for await (const text of reply.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines.map((each) => JSON.parse(each))) {
        operations.push(...(line.data?.data ?? []));
        if (line.checkpoint_complete !== undefined) this.#apply(operations.splice(0));
      }
    }
  }

  #apply(operations) {
    const diff = { added: [], updated: [], removed: [] };
    for (const { op, object_id: id, data } of operations) {
      const before = this.#rows.get(id);
      if (op === 'PUT') {
        const current = { id, ...JSON.parse(data) };
        this.#rows.set(id, current);
        if (before === undefined) diff.added.push(current);
        else if (JSON.stringify(before) !== JSON.stringify(current)) diff.updated.push({ current });
      } else if (op === 'REMOVE' && this.#rows.delete(id)) diff.removed.push(before);
    }
    this.#tell(diff);
  }
}
