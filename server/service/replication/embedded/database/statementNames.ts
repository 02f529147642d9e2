/**
 * Renames prepared statements. Connections share one session, so equal names would collide. Each connection's names get a prefix
 * before they reach the session.
 */
import { bodyOf, type Message, message, textsIn } from './messages.ts';

export interface StatementNames {
  rename(message: Message): Message;
  /** Returns messages that close all statements that this connection has prepared. */
  closing(): readonly Buffer[];
}

export function openStatementNames(prefix: string): StatementNames {
  const prepared = new Set<string>();
  const own = (name: string): string => (name === '' ? '' : prefix + name);
  const remake = (type: string, before: string, names: readonly string[], rest: Buffer): Message => ({
    type,
    bytes: message(type, Buffer.from(before, 'latin1'), ...names.map(own), rest),
  });
  return {
    rename(each) {
      const body = bodyOf(each);
      switch (each.type) {
        case 'P': {
          const [name = ''] = textsIn(body, 1);
          if (name !== '') prepared.add(name);
          return name === '' ? each : remake('P', '', [name], body.subarray(lengthOf(name)));
        }
        case 'B': {
          const [portal = '', name = ''] = textsIn(body, 2);
          if (portal === '' && name === '') return each;
          return remake('B', '', [portal, name], body.subarray(lengthOf(portal) + lengthOf(name)));
        }
        case 'E': {
          const [portal = ''] = textsIn(body, 1);
          return portal === '' ? each : remake('E', '', [portal], body.subarray(lengthOf(portal)));
        }
        case 'D':
        case 'C': {
          const [name = ''] = textsIn(body.subarray(1), 1);
          const what = body.toString('latin1', 0, 1);
          if (each.type === 'C' && what === 'S') prepared.delete(name);
          return name === '' ? each : remake(each.type, what, [name], Buffer.alloc(0));
        }
        default:
          return each;
      }
    },
    closing: () => [...prepared].map((name) => message('C', Buffer.from('S'), own(name))),
  };
}

/** Returns the length in bytes, including the zero at the end of the text. */
function lengthOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}
