/** The last line of defence: no answer contains the value of a secret variable. */

const secretName =
  /token|secret|password|passwd|credential|private|(?:^|_)key|_key$|dsn|(?:_|^)(?:uri|url)$/i;

/** The shortest secret in characters. A shorter one would also match unrelated words. */
const shortest = 8;

export function withoutSecretsOf(
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && secretName.test(name) ? secretsIn(value) : []))
    // An answer contains secrets in the form in which JSON writes them.
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .filter((value) => value.length >= shortest)
    .toSorted((one, other) => other.length - one.length);
  return (text) =>
    secrets.reduce(
      (rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, '[secret]') : rest),
      text,
    );
}

/** Returns the secrets in a value. In an address, only the password is secret. */
function secretsIn(value: string): readonly string[] {
  if (!/^\w+:\/\//.test(value)) return [value];
  const { password, search } = URL.parse(value) ?? { password: '', search: '' };
  const inQuery = [...new URLSearchParams(search)].flatMap(([name, text]) =>
    secretName.test(name) ? [text] : [],
  );
  return [password, decodeURIComponentSafely(password), ...inQuery].filter((each) => each !== '');
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
