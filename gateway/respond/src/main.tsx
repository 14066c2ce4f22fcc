import './styles.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { readAddress } from './session/address.ts';
import { receivePreviews } from './session/preview.ts';
import { createPreviewSession, createSession, type Session } from './session/session.ts';

const PREVIEW_PATH = '/s/preview';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

if (location.pathname !== PREVIEW_PATH || !showPreviews(root)) showSurvey(root);

/** Shows the definitions that another page sends. Returns false if there is no other page. */
function showPreviews(container: HTMLElement): boolean {
  let session: Session | undefined;
  let count = 0;
  return receivePreviews(window, (preview) => {
    session = createPreviewSession(preview, session);
    count += 1;
    render(<App key={count} session={session} />, container);
  });
}

function showSurvey(container: HTMLElement): void {
  const address = readAddress(location.pathname) ?? { kind: 'link', slug: '-' };
  render(<App session={createSession(address, window)} />, container);
  // Another token in the same tab belongs to another respondent.
  addEventListener('hashchange', () => location.reload());
}
