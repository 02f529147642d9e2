/** Writes a key, with quotes if it would not be a text without them. */
export function keyText(name: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}
