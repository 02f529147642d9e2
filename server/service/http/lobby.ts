/**
 * Places for those who have yet to prove something: to show a token, or to send the rest of a body. Nobody is turned away
 * at a full lobby. Instead, the one that has waited longest among the most crowded party (an address, a user) has to
 * go: honest clients stay for milliseconds, so an attacker only drives out its own.
 */
export interface Lobby {
  /** @returns the function that leaves again; it may be called more than once */
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
