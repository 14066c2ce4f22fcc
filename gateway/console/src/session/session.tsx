import { type Client, createClient, type Me } from '@survey/client';
import { createContext, useContext } from 'react';

/** The user and the client, for the pages of a signed-in user. */
export interface Session {
  readonly client: Client;
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

/** Returns whether the user has a permission, such as `surveys:write`. Show nothing that needs one that is missing. */
export function useCan(): (permission: string) => boolean {
  const { me } = useSession();
  return (permission) => me.permissions.includes(permission);
}

/**
 * Creates a client for one user.
 *
 * @param onRejected called for each reply 401: the platform does not accept the token
 */
export function createConsoleClient(token: () => Promise<string>, onRejected: () => void = () => undefined): Client {
  return createClient({
    baseUrl: location.origin,
    token,
    maxRetries: 2,
    maxRetryWaitMs: 5_000,
    fetch: async (...request) => {
      const reply = await fetch(...request);
      if (reply.status === 401) onRejected();
      return reply;
    },
  });
}
