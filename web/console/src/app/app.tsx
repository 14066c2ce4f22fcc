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
type SessionEnd = 'signed out' | 'rejected';

// The promise is shared: strict mode runs effects twice, but a sign-in can be finished only once.
const credentialsPromise = loadConfig().then(createCredentials);

/** The console: signing in first, then its pages. */
export function App() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [isSignedIn, setSignedIn] = useState(false);
  const [sessionEnd, setSessionEnd] = useState<SessionEnd>();

  useEffect(() => {
    credentialsPromise.then(
      (credentials) => {
        setSignedIn(credentials.isSignedIn());
        setState({ kind: 'ready', credentials });
      },
      (error: unknown) => setState({ kind: 'failed', error }),
    );
  }, []);

  // Sign out in an effect, after the pages are unmounted, which stops their downloads. During a download, the browser
  // would ask the user before it leaves the page.
  useEffect(() => {
    if (state.kind !== 'ready' || sessionEnd === undefined) return;
    if (sessionEnd === 'rejected') state.credentials.endRejectedSession();
    else void state.credentials.signOut();
  }, [state, sessionEnd]);

  if (state.kind === 'loading' || sessionEnd !== undefined) return <Loading />;
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
  const endSession = (reason: SessionEnd) => setSessionEnd((first) => first ?? reason);
  return (
    <SignedInApp
      credentials={credentials}
      onSignOut={() => endSession('signed out')}
      onRejected={() => endSession('rejected')}
    />
  );
}
