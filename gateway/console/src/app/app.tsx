import { useEffect, useState } from 'react';
import { type Credentials, createCredentials, loadConfig } from '../session/credentials.ts';
import { SignIn } from '../session/sign-in.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { SignedInApp } from './signed-in-app.tsx';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly credentials: Credentials; readonly error?: unknown };

// The promise is shared: strict mode runs effects twice, but a sign-in can be finished only once.
const loaded = loadConfig().then(createCredentials);

/** The console: signing in first, then its pages. */
export function App() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [isSignedIn, setSignedIn] = useState(false);
  const [message, setMessage] = useState<string>();

  useEffect(() => {
    loaded.then(
      (credentials) => {
        setSignedIn(credentials.isSignedIn());
        setState({ kind: 'ready', credentials });
      },
      (error: unknown) => setState({ kind: 'failed', error }),
    );
  }, []);

  if (state.kind === 'loading') return <Loading />;
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
        message={message}
        onSignedIn={() => {
          setMessage(undefined);
          setSignedIn(true);
        }}
      />
    );
  }
  const leave = (text?: string) => {
    setMessage(text);
    setSignedIn(false);
  };
  return (
    <SignedInApp
      credentials={credentials}
      onSignOut={() => {
        leave();
        void credentials.signOut();
      }}
      onRejected={() => {
        credentials.forget();
        leave('The platform did not accept your token or API key, or it has expired. Sign in again.');
      }}
    />
  );
}
