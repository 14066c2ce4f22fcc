import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import type { Credentials } from './credentials.ts';
import { createConsoleClient } from './session.tsx';

interface Props {
  readonly credentials: Credentials;
  /** The reason for signing in again. */
  readonly message: string | undefined;
  readonly onSignedIn: () => void;
}

/** Signs in with the identity provider where one is configured, else with an API key. */
export function SignIn({ credentials, message, onSignedIn }: Props) {
  return (
    <main className="sign-in">
      <div className="stack sign-in-panel">
        <title>Sign in · Survey console</title>
        <h1>Survey console</h1>
        {message !== undefined && (
          <div className="notice" data-tone="warn" role="alert">
            {message}
          </div>
        )}
        {credentials.hasProvider ? (
          <ProviderForm credentials={credentials} />
        ) : (
          <KeyForm credentials={credentials} onSignedIn={onSignedIn} />
        )}
      </div>
    </main>
  );
}

function ProviderForm({ credentials }: Pick<Props, 'credentials'>) {
  const [error, setError] = useState<unknown>();
  return (
    <div className="stack sign-in-panel">
      <Button variant="primary" onPress={() => void credentials.signInWithProvider().catch(setError)}>
        Sign in
      </Button>
      {error !== undefined && <ErrorNotice error={error} />}
    </div>
  );
}

function KeyForm({ credentials, onSignedIn }: Omit<Props, 'message'>) {
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    try {
      // Check the key before it is kept.
      await createConsoleClient(async () => key.trim()).account.getMe();
      credentials.signInWithToken(key);
      onSignedIn();
    } catch (failure) {
      setError(failure);
    } finally {
      setPending(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <TextField
        label="API key"
        description="It is kept in this tab until you sign out or close the tab."
        type="password"
        autoComplete="off"
        required
        value={key}
        onChange={setKey}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          Sign in
        </Button>
      </div>
    </form>
  );
}
