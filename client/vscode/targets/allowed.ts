/** Which hosts are deployed to without a question: `localhost`, `10.0.0.7:8080`, `*.test.example`. */
export function isAllowed(url: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  return allowed.some((entry) => {
    const name = entry.trim().toLowerCase();
    if (name.startsWith('*.')) return hostname.endsWith(name.slice(1));
    return name !== '' && (name === host || name === hostname || `[${name}]` === hostname);
  });
}
