/** The parts of `postgresql://user:password@host:port/database?connect_timeout=5`, with percent-escapes decoded. */
export interface PostgresUri {
  readonly username: string;
  readonly password: string;
  /** The host name in lower case. An IPv6 address has no brackets. */
  readonly hostname: string;
  /** The port as written, or an empty string. */
  readonly port: string;
  readonly database: string;
  /** The time limit of a connection, in seconds. */
  readonly connectTimeout?: number;
}

const shape =
  /^postgres(?:ql)?:\/\/(?:(?<username>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hostname>\[[^\]]*\]|[^:/?#@]*)(?::(?<port>[^/?#]*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

/** Returns undefined for another scheme or form. */
export function readPostgresUri(text: string): PostgresUri | undefined {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { username = '', password = '', hostname = '', port = '', database = '', query } = parts;
  const timeout = new URLSearchParams(query).get('connect_timeout');
  return {
    username: decode(username),
    password: decode(password),
    hostname: hostname.toLowerCase().replace(/^\[|\]$/g, ''),
    port,
    database: decode(database),
    ...(timeout !== null && { connectTimeout: Number(timeout) }),
  };
}

/** Decodes percent-escapes. Passwords are often pasted without escaping, so a percent sign may also be meant literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
