/** The names of users that a deploy may carry: a line that can be shown in a list. */

/** The maximum length in characters, however many code units each of them has. */
export const longestUserName = 100;

const pattern = new RegExp(`^(?=.*\\S)[^\\p{Cc}\\p{Cf}]{1,${longestUserName}}$`, 'u');

export function isUserName(text: string): boolean {
  return pattern.test(text);
}
