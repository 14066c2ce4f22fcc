export interface GatewayClient {
  /** Returns the body of a successful reply; undefined if the record does not exist or the token is invalid. */
  readonly find: (path: string) => Promise<Record<string, unknown> | undefined>;
  readonly post: (path: string, body?: unknown) => Promise<Record<string, unknown>>;
  readonly remove: (path: string) => Promise<void>;
}

const TIMEOUT_MS = 15_000;
const MISSING_STATUSES = [401, 403, 404];

/** Calls the REST API as a user of a tenant. */
export function createGatewayClient(gateway: string, token: string): GatewayClient {
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${gateway}${path}`, {
      method,
      redirect: 'error',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  return {
    find: async (path) => {
      const response = await send('GET', path);
      return MISSING_STATUSES.includes(response.status) ? undefined : toRecord(response);
    },
    post: async (path, body = {}) => toRecord(await send('POST', path, body)),
    remove: async (path) => {
      const response = await send('DELETE', path);
      if (!response.ok && !MISSING_STATUSES.includes(response.status)) await toRecord(response);
    },
  };
}

async function toRecord(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} replied ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
