/** Values of claims and parameters as people type them into a field. */

/**
 * Reads the value of a field. A text that is JSON has the value of that JSON, so a number in quotes is a string. Any other text
 * is a string.
 */
export function fieldValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Keep the text of a number whose digits would change in JavaScript.
    return typeof value === 'number' && String(value) !== text.trim() ? text : value;
  } catch {
    return text;
  }
}

/** Returns the text that `fieldValue` reads as this value. */
export function fieldText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return fieldValue(value) === value && value !== '' ? value : JSON.stringify(value);
}
