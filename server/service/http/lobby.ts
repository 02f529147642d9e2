/**
 * Places for connections that have not proved anything yet: by showing a token, or by sending the rest of a body. A full lobby
 * does not turn anyone away. Instead, it evicts the connection that has waited longest in the most crowded party (an address or a
 * user). Honest clients stay for milliseconds only, so an attacker only evicts its own connections.
 */
export interface Lobby {
  /** @returns the function that leaves, which may be called repeatedly */
  readonly enter: (party: string, evict: () => void) => () => void;
  readonly size: number;
}

interface Guest {
  readonly evict: () => void;
}

export function createLobby(places: number): Lobby {
  const parties = new Map<string, Set<Guest>>();
  let size = 0;

  const remove = (party: string, guest: Guest): void => {
    const guests = parties.get(party);
    if (!guests?.delete(guest)) return;
    size--;
    if (guests.size === 0) parties.delete(party);
  };
  const evictOne = (): void => {
    let crowd: [string, Set<Guest>] | undefined;
    for (const entry of parties) if (crowd === undefined || entry[1].size > crowd[1].size) crowd = entry;
    const [party = '', guests] = crowd ?? [];
    const [oldest] = guests ?? [];
    if (oldest === undefined) return;
    remove(party, oldest);
    oldest.evict();
  };

  return {
    get size() {
      return size;
    },
    enter: (party, evict) => {
      if (size >= places) evictOne();
      const guest: Guest = { evict };
      const guests = parties.get(party) ?? new Set();
      parties.set(party, guests.add(guest));
      size++;
      return () => remove(party, guest);
    },
  };
}
