/** Sends the built files of the console. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Call, Reply, Route } from '../http/route.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The content security policy: nothing is loaded from other sites, no inline code runs, and no other page may embed this one. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "worker-src 'self'", "style-src 'self'", "img-src 'self' data:"],
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
} as const;

/** Public access to the page's files. They need no token, because they contain only the program. */
const open = { method: 'GET', access: 'public', group: 'page', body: 'none' } as const;

export function pageRoutes(folder: string): readonly Route[] {
  const names = readdirSync(folder).filter((name) => extname(name) in types);
  return [
    { ...open, path: '/console', answer: async (call) => redirect(call) },
    ...names.map((name) => ({
      ...open,
      path: name === 'index.html' ? '/console/' : `/console/${name}`,
      answer: sender(join(folder, name)),
    })),
  ];
}

function redirect({ response, head }: Call): Reply {
  response.writeHead(308, { ...head, Location: '/console/', 'Content-Length': 0 }).end();
  return { written: true };
}

/** Returns a function that reads the file when it is first requested, because most services never show the console. */
function sender(path: string): Route['answer'] {
  let plain: Buffer | undefined;
  let small: Buffer | undefined;
  return async ({ request, response, head }) => {
    plain ??= readFileSync(path);
    const isSmall = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    if (isSmall) small ??= gzipSync(plain);
    const body = (isSmall ? small : plain) ?? plain;
    response
      .writeHead(200, {
        ...head,
        ...headers,
        'Content-Type': types[extname(path)],
        'Content-Length': body.length,
        Vary: 'Accept-Encoding',
        ...(isSmall && { 'Content-Encoding': 'gzip' }),
      })
      .end(request.method === 'HEAD' ? undefined : body);
    return { written: true };
  };
}
