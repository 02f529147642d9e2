/** Checks database URIs as far as that is possible without connecting: `scheme://user:password@host:port/path?query`. */
import { type Span, span } from '../text/span.ts';

export interface DatabaseUri {
  readonly scheme: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly portSpan: Span;
  readonly database: string;
  readonly sslmode?: string;
  readonly sslmodeSpan: Span;
}

const shape =
  /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?:(?<username>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hostname>\[[^\]]*\]|[^:/?#@,]*)(?::(?<port>[^/?#,]*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/di;

/** Returns undefined if the text does not have this form, for example if it names several hosts. Spans are relative to the text. */
export function readUri(text: string): DatabaseUri | undefined {
  const match = shape.exec(text);
  const {
    scheme = '',
    username = '',
    password = '',
    hostname = '',
    port = '',
    database = '',
    query,
  } = match?.groups ?? {};
  if (match === null) return undefined;
  const spans = match.indices?.groups ?? {};
  const sslmode = /(?:^|&)(?<pair>sslmode=(?<mode>[^&]*))/d.exec(query ?? '');
  const queryStart = spans.query?.[0] ?? 0;
  const [pairStart = 0, pairEnd = 0] = sslmode?.indices?.groups?.pair ?? [];
  const mode = sslmode?.groups?.mode;
  return {
    scheme: scheme.toLowerCase(),
    username,
    password,
    hostname,
    port,
    portSpan: span(...(spans.port ?? [0, 0])),
    database,
    ...(mode !== undefined && { sslmode: mode }),
    sslmodeSpan: span(queryStart + pairStart, queryStart + pairEnd),
  };
}
