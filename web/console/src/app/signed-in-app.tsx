import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { DownloadsProvider } from '../downloads/downloads.tsx';
import { UploadsProvider } from '../imports/uploads.tsx';
import type { Credentials } from '../session/credentials.ts';
import { createConsoleClient, SessionContext } from '../session/session.tsx';
import { AnnounceProvider } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { createConsoleRouter } from './router.tsx';

interface Props {
  readonly credentials: Credentials;
  readonly onSignOut: () => void;
  /** Called when the platform rejects the token, possibly for several requests. */
  readonly onRejected: () => void;
}

/** The pages of a signed-in user. When the component is removed, all data that it read is forgotten. */
export function SignedInApp(props: Props) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Pages {...props} />
    </QueryClientProvider>
  );
}

function Pages({ credentials, onSignOut, onRejected }: Props) {
  const [{ client, createClientWith }] = useState(() => {
    const options = { renew: credentials.renew, onRejected };
    const createClientWith = (send?: typeof fetch) =>
      createConsoleClient(() => credentials.token(), send === undefined ? options : { ...options, send });
    return { client: createClientWith(), createClientWith };
  });
  const [router] = useState(createConsoleRouter);
  // Show an error only if the first request for the user fails. A later error must not replace the pages, because the
  // user would lose typed text.
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.account.getMe({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (me.data === undefined) {
    if (!me.isError) return <Loading />;
    return (
      <main className="sign-in">
        <div className="stack">
          <ErrorNotice error={me.error} retry={() => void me.refetch()} />
          <Button onPress={onSignOut}>Sign out</Button>
        </div>
      </main>
    );
  }
  return (
    <SessionContext value={{ client, createClientWith, me: me.data, signOut: onSignOut }}>
      <AnnounceProvider>
        <DownloadsProvider>
          <UploadsProvider>
            <RouterProvider router={router} />
          </UploadsProvider>
        </DownloadsProvider>
      </AnnounceProvider>
    </SessionContext>
  );
}

/** Turns off retries of queries: the API client already retries requests that can succeed later. */
function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } });
}
