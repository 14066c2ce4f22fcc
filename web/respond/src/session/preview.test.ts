import { describe, expect, it } from 'vitest';
import { createPreviewApi, type PreviewedSurvey, type PreviewWindow, receivePreviews } from './preview.ts';

const definition = {
  title: 't',
  supported_languages: ['en', 1],
  pages: [{ questions: [{ id: 'a', type: 'text', title: 't' }] }],
  logic: [{ action: 'disqualify', conditions: [{ source_question: 'a', operator: 'equals', value: 'no' }] }],
};
const message = { type: 'survey-preview', definition, language: 'en' };

function open(kind: 'framed' | 'opened' | 'alone') {
  const posted: unknown[] = [];
  const received: PreviewedSurvey[] = [];
  const listeners: Parameters<PreviewWindow['addEventListener']>[1][] = [];
  const peer = { postMessage: (...args: unknown[]) => void posted.push(args) } as unknown as Window;
  const own = { location: { origin: 'https://own' } } as {
    -readonly [Name in keyof PreviewWindow]: PreviewWindow[Name];
  };
  own.parent = kind === 'framed' ? peer : (own as unknown as Window);
  own.opener = kind === 'opened' ? peer : null;
  own.addEventListener = (_type, listener) => void listeners.push(listener);
  const isPreview = receivePreviews(own, (preview) => received.push(preview));
  const send = (data: unknown, origin = 'https://own', source: Window | null = peer) => {
    for (const listener of listeners) listener({ data, origin, source });
  };
  return { isPreview, posted, received, send };
}

describe('a preview', () => {
  it.each(['framed', 'opened'] as const)('gets definitions when it is %s', (kind) => {
    const { isPreview, posted, received, send } = open(kind);
    expect([isPreview, posted]).toEqual([true, [[{ type: 'survey-preview-ready' }, 'https://own']]]);
    send(message);
    send({ ...message, survey_version: 7 });
    const survey = { definition, languages: ['en'], version: 1, survey_version: 1 };
    expect(received).toMatchObject([
      { survey, language: 'en' },
      { survey: { ...survey, version: 7, survey_version: 7 }, language: 'en' },
    ]);
  });

  it('is none without another page', () => {
    expect(open('alone')).toMatchObject({ isPreview: false, posted: [] });
  });

  it('ignores other origins, other windows and other messages', () => {
    const { received, send } = open('framed');
    send(message, 'https://other');
    send(message, 'https://own', null);
    for (const data of [undefined, null, 'text', {}, { ...message, type: 'other' }, { ...message, definition: 1 }])
      send(data);
    expect(received).toEqual([]);
  });

  it('gives each file its own id', async () => {
    const { received, send } = open('framed');
    send(message);
    const [preview] = received;
    if (preview === undefined) throw new Error('no preview');
    const api = createPreviewApi(preview, () => new Date(0));
    const upload = () => api.upload('a', new File(['x'], 'x.txt'), () => undefined, new AbortController().signal);
    const files = await Promise.all([upload(), upload()]);
    expect(new Set(files.map(({ file_id: id }) => id)).size).toBe(2);
  });

  it('submits nothing, but reports the outcome', async () => {
    const { received, send } = open('framed');
    send({ ...message, language: 1 });
    const [preview] = received;
    if (preview === undefined) throw new Error('no preview');
    expect(preview.language).toBeUndefined();
    const api = createPreviewApi(preview, () => new Date(0));
    expect(await api.create({ status: 'in_progress', data: {} }, 'key')).toMatchObject({ status: 'in_progress' });
    expect(
      await api.update({ id: 'id', resumeToken: 'token' }, { status: 'completed', data: { a: null } }),
    ).toMatchObject({
      status: 'completed',
    });
    expect(await api.create({ status: 'completed', data: { a: 'no' } }, 'key')).toMatchObject({
      status: 'disqualified',
    });
  });
});
