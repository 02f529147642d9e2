/** Returns how many items at the start of a list satisfy a condition that no later item satisfies, in logarithmic time. */
export function lengthOfStart(length: number, isInStart: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isInStart(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
