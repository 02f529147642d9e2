/** The record of all deploys. It determines which configs the service may have after a restart. */
export interface DeployedVersion {
  /** Must be called before the request, because a deploy may succeed although its answer is lost. */
  sent(content: string): void;
  acknowledged(content: string): void;
  /** Returns a sentence for each contradiction in what the service reports. */
  violationsIn(current: Current): readonly string[];
  /** Whether nothing is pending, and the active config is the last acknowledged one or a later one whose answer was lost. */
  isSettled(current: Current): boolean;
}

export interface Current {
  /** The active config; undefined while nothing is active. */
  readonly active: string | undefined;
  readonly pending: string | undefined;
}

export function openDeployed(): DeployedVersion {
  const sent: string[] = [];
  let acknowledged = -1;
  return {
    sent: (content) => void sent.push(content),
    acknowledged: (content) => {
      acknowledged = sent.lastIndexOf(content);
    },
    violationsIn: ({ active, pending }) => {
      const strange = [active, pending].filter((each) => each !== undefined && !sent.includes(each));
      // The newest config must be at least as new as the last acknowledged one.
      const newest = Math.max(sent.lastIndexOf(pending ?? ''), sent.lastIndexOf(active ?? ''));
      return [
        ...strange.map(
          (content) => `The service has a config that nobody deployed: ${content?.slice(0, 20)}`,
        ),
        ...(newest < acknowledged ? ['A deploy that was acknowledged is lost.'] : []),
      ];
    },
    isSettled: ({ active, pending }) =>
      active !== undefined && pending === undefined && sent.lastIndexOf(active) >= acknowledged,
  };
}
