/** How many items at the start of a list fulfil a condition that none of the others does: in logarithmic time. */
export function lengthOfStart(length: number, isInStart: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isInStart(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
