import { type Client, createClient, type Me } from '@survey/client';
import { createContext, useContext } from 'react';

/** The user and the client, for the pages of a signed-in user. */
export interface Session {
  readonly client: Client;
  /** Creates a client for the same user that sends its requests with a given function in place of `fetch`. */
  readonly createClientWith: (send: typeof fetch) => Client;
  readonly me: Me;
  readonly signOut: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionContext');
  return session;
}

export function useClient(): Client {
  return useSession().client;
}

/**
 * Returns a function that checks whether the user has a permission, such as `surveys:write`. Show nothing that needs a
 * missing permission.
 */
export function useCan(): (permission: string) => boolean {
  const { me } = useSession();
  return (permission) => me.permissions.includes(permission);
}

interface ClientOptions {
  /**
   * Called for each reply with 401. Returns another token; undefined if there is none.
   *
   * @param rejected the token that the platform did not accept
   */
  readonly renew?: (rejected: string) => Promise<string | undefined>;
  /** Called when the platform accepts no token. */
  readonly onRejected?: () => void;
  /** Default: `fetch`. */
  readonly send?: typeof fetch;
}

const BEARER = 'Bearer ';

/** Creates a client for one user. A request that is rejected with 401 is sent once more with a renewed token. */
export function createConsoleClient(token: () => Promise<string>, options: ClientOptions = {}): Client {
  const { renew = async () => undefined, onRejected = () => undefined, send = (...args) => fetch(...args) } = options;
  return createClient({
    baseUrl: location.origin,
    token,
    maxRetries: 2,
    maxRetryWaitMs: 5_000,
    fetch: async (address, init) => {
      const reply = await send(address, init);
      if (reply.status !== 401) return reply;
      const headers = new Headers(init?.headers);
      const renewed = await renew(headers.get('authorization')?.slice(BEARER.length) ?? '');
      if (renewed === undefined) {
        onRejected();
        return reply;
      }
      await reply.body?.cancel();
      headers.set('authorization', BEARER + renewed);
      const second = await send(address, { ...init, headers });
      if (second.status === 401) onRejected();
      return second;
    },
  });
}
