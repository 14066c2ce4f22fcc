import { useEffect, useState } from 'react';
import { type Credentials, createCredentials, loadConfig } from '../session/credentials.ts';
import { SignIn } from '../session/sign-in.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { SignedInApp } from './signed-in-app.tsx';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly credentials: Credentials };

/** The reason why the session ends. If there are several, the first one counts. */
type Departure = 'signed out' | 'rejected';

// The promise is shared: strict mode runs effects twice, but a sign-in can be finished only once.
const loaded = loadConfig().then(createCredentials);

/** The console: signing in first, then its pages. */
export function App() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [isSignedIn, setSignedIn] = useState(false);
  const [departure, setDeparture] = useState<Departure>();

  useEffect(() => {
    loaded.then(
      (credentials) => {
        setSignedIn(credentials.isSignedIn());
        setState({ kind: 'ready', credentials });
      },
      (error: unknown) => setState({ kind: 'failed', error }),
    );
  }, []);

  // Sign out in an effect, after the pages are unmounted. This ends their downloads: while one runs, the browser asks
  // whether to leave.
  useEffect(() => {
    if (state.kind !== 'ready' || departure === undefined) return;
    if (departure === 'rejected') state.credentials.reject();
    else void state.credentials.signOut();
  }, [state, departure]);

  if (state.kind === 'loading' || departure !== undefined) return <Loading />;
  if (state.kind === 'failed') {
    return (
      <main className="sign-in">
        <ErrorNotice error={state.error} retry={() => location.assign('/console/')} />
      </main>
    );
  }
  const { credentials } = state;
  if (!isSignedIn) {
    return (
      <SignIn
        credentials={credentials}
        message={
          credentials.wasRejected
            ? 'The platform did not accept your token or API key, or it has expired. Sign in again.'
            : undefined
        }
        onSignedIn={() => setSignedIn(true)}
      />
    );
  }
  const leave = (reason: Departure) => setDeparture((first) => first ?? reason);
  return (
    <SignedInApp credentials={credentials} onSignOut={() => leave('signed out')} onRejected={() => leave('rejected')} />
  );
}
