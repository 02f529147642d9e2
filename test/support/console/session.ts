/** A session of the console, as a program uses it: the cookie that a browser would keep, and the secret of the page. */
export interface PageSession {
  /** `name=value`, as browsers send it. */
  readonly cookie: string;
  /** The entire `set-cookie` header, with the attributes of the cookie. */
  readonly setCookie: string;
  readonly secret: string;
}

export const pageHeader = 'X-Headwater-Console';

/** @param link a sign-in link, which can be used once */
export async function signInWith(link: string): Promise<PageSession> {
  const { origin, hash } = new URL(link);
  const response = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    headers: { Authorization: `Link ${hash.replace('#sign-in=', '')}`, Origin: origin },
  });
  if (!response.ok) throw new Error(await response.text());
  const { data } = (await response.json()) as { readonly data: { readonly secret: string } };
  const setCookie = response.headers.get('set-cookie') ?? '';
  return { cookie: setCookie.replace(/;.*/, ''), setCookie, secret: data.secret };
}
