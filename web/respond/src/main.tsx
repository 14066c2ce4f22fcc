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

/** Previews the definitions sent by the page that framed or opened this one. Returns false if there is none. */
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
  // No link has the slug `-`, so other paths show that the survey was not found.
  const address = readAddress(location.pathname) ?? { kind: 'link', slug: '-' };
  render(<App session={createSession(address, window)} />, container);
  // Another token in the same tab belongs to another respondent.
  addEventListener('hashchange', () => location.reload());
}
