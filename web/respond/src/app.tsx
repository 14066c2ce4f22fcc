import type { ApiError } from '@survey/client';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { ErrorScreen, PasswordScreen } from './screens.tsx';
import { isResponseOver, toApiError } from './session/errors.ts';
import { chooseLanguage, directionOf } from './session/languages.ts';
import type { Progress } from './session/progress.ts';
import type { Session } from './session/session.ts';
import { start } from './session/start.ts';
import { Survey } from './survey.tsx';
import { describePasswordError, messageLanguages, messagesFor } from './texts/messages.ts';

type State =
  | { readonly at: 'loading' }
  | { readonly at: 'password' }
  | { readonly at: 'error'; readonly error: ApiError }
  | { readonly at: 'survey'; readonly progress: Progress };

/** Opens the survey, then shows it, or the reason why it cannot be answered. */
export function App({ session }: { session: Session }) {
  const [state, setState] = useState<State>({ at: 'loading' });
  const [failure] = useErrorBoundary();
  const messages = messagesFor(chooseLanguage(messageLanguages, session.wanted));

  async function open(password?: string): Promise<void> {
    const { api, store, wanted, personal } = session;
    try {
      setState({ at: 'survey', progress: await start({ api, saved: store.load(), wanted, personal, password }) });
    } catch (cause) {
      const error = toApiError(cause);
      if (!isResponseOver(error)) throw error;
      store.clear();
      setState({ at: 'error', error });
    }
  }

  function begin(): void {
    setState({ at: 'loading' });
    open().catch((cause: unknown) => {
      const error = toApiError(cause);
      setState(error.code === 'LINK_PASSWORD_WRONG' ? { at: 'password' } : { at: 'error', error });
    });
  }

  // The token of a single-use link allows one response.
  const onRestart = session.isSingleUse ? undefined : begin;

  useEffect(begin, []);
  useEffect(() => {
    if (state.at !== 'survey') showLanguage(messages.tag);
  }, [state.at]);

  if (failure !== undefined) {
    return <ErrorScreen error={toApiError(failure)} messages={messages} onRetry={() => location.reload()} />;
  }
  switch (state.at) {
    case 'loading':
      return (
        <p class="loading" role="status">
          {messages.loading}
        </p>
      );
    case 'password':
      return (
        <PasswordScreen
          messages={messages}
          onPassword={open}
          describe={(error) => describePasswordError(messages, toApiError(error))}
        />
      );
    case 'error':
      return <ErrorScreen error={state.error} messages={messages} onRetry={begin} onRestart={onRestart} />;
    case 'survey':
      return <Survey session={session} initial={state.progress} onLanguage={showLanguage} onRestart={onRestart} />;
  }
}

function showLanguage(tag: string): void {
  document.documentElement.lang = tag;
  document.documentElement.dir = directionOf(tag);
}
