import { describe, expect, it } from 'vitest';
import type { PreviewedSurvey } from './preview.ts';
import { createPreviewSession } from './session.ts';

function previewOf(...ids: string[]): PreviewedSurvey {
  const questions = ids.map((id) => ({ id, type: 'text' as const, title: id }));
  const definition = { title: 't', supported_languages: ['en'], pages: [{ questions }] };
  const survey = { id: 'preview', version: 1, survey_version: 1, definition, languages: ['en'], metadata_fields: [] };
  return { survey, language: 'en' };
}

describe('a preview of a new definition', () => {
  it('keeps the answers to questions that it still has', () => {
    const first = createPreviewSession(previewOf('kept', 'removed'), undefined);
    first.store.save({
      survey: previewOf('kept', 'removed').survey,
      answers: { kept: 'a', removed: 'b' },
      page: 0,
      language: 'en',
      fileNames: {},
      startedAt: '2030-01-01T00:00:00Z',
    });
    const second = createPreviewSession(previewOf('kept', 'new'), first);
    expect(second.store.load()?.answers).toEqual({ kept: 'a' });
    const third = createPreviewSession({ ...previewOf('kept'), language: 'en_GB' }, second);
    expect(third.store.load()?.language).toBe('en');
  });
});
