import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@survey/proto/survey/events/v1/event_pb';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { describe, expect, it } from 'vitest';
import { replaceDefinition, saveDraft, updateSettings } from './survey.ts';
import { consumerEvent, surveyEvents } from './survey-events.ts';
import { defaultSettings } from './survey-settings.ts';
import { testSurvey } from './testing/test-survey.ts';

const by = { tenantId: testSurvey.tenantId, actor: 'editor', requestId: 'r-1', traceparent: '' };
const change = { actor: 'editor', time: new Date('2026-01-03T03:04:05.006Z') };
const next = { definition: { title: 'Dinner', supported_languages: ['en'] }, schemaVersion: '1.0' };

const dataOf = ({ value }: OutboxEvent) => fromBinary(EventSchema, value.value()).data;
const typesOf = (events: readonly OutboxEvent[]) => events.map(({ type }) => type);

describe('consumerEvent', () => {
  it('has the same id only for the same change', () => {
    const event = consumerEvent('survey.created', testSurvey, '');
    expect(consumerEvent('survey.created', { ...testSurvey, definition: {} }, '').id).toBe(event.id);
    expect(consumerEvent('survey.created', { ...testSurvey, revision: 2 }, '').id).not.toBe(event.id);
    expect(consumerEvent('survey.published', testSurvey, '').id).not.toBe(event.id);
    const { createdAt: at } = testSurvey;
    expect(event).toMatchObject({ topic: 'survey.events', key: 's-1', type: 'survey.created', at, headers: {} });
  });
});

describe('surveyEvents', () => {
  it('are an event for consumers and an audit event with the differences', () => {
    const events = surveyEvents(by, 'survey.updated', testSurvey, replaceDefinition(testSurvey, next, change));
    expect(typesOf(events)).toEqual(['survey.updated', 'audit.survey.updated']);
    expect(events.map(({ topic }) => topic)).toEqual(['survey.events', 'audit.events']);
    const ordering = { occurred_at: change.time.toISOString(), revision: testSurvey.revision + 1 };
    expect(events.map(dataOf)).toEqual([
      { survey_id: 's-1', title: 'Dinner', version: 2, status: 'draft', ...ordering },
      {
        ...ordering,
        action: 'survey.updated',
        actor: 'editor',
        resource_type: 'survey',
        resource_id: 's-1',
        request_id: 'r-1',
        changes: expect.arrayContaining([
          { path: '/definition/title', before: 'Lunch', after: 'Dinner' },
          { path: '/version', before: 1, after: 2 },
        ]),
      },
    ]);
  });

  it('audit settings by their names in the API', () => {
    const settings = {
      ...defaultSettings,
      closesAt: new Date('2026-02-01T00:00:00Z'),
      responseLimit: 5,
      metadataFields: [{ name: 'vip', type: 'boolean', from: ['token'] }],
    } as const;
    const events = surveyEvents(
      by,
      'survey.updated',
      testSurvey,
      updateSettings(testSurvey, { projectId: 'p-1', settings }, change),
    );
    expect(events.map(dataOf)[1]).toMatchObject({
      changes: [
        { path: '/settings/metadata_fields/0', after: settings.metadataFields[0] },
        { path: '/settings/closes_at', after: '2026-02-01T00:00:00.000Z' },
        { path: '/settings/response_limit', after: 5 },
        { path: '/project_id', after: 'p-1' },
      ],
    });
  });

  it('are only an audit event for a draft', () => {
    const events = surveyEvents(by, 'survey.draft_saved', testSurvey, saveDraft(testSurvey, next, change));
    expect(typesOf(events)).toEqual(['audit.survey.draft_saved']);
    expect(events.map(dataOf)).toMatchObject([
      { changes: [{ path: '/draft', after: { schema_version: '1.0', based_on: 1, definition: { title: 'Dinner' } } }] },
    ]);
  });

  it('report a restored survey as an updated one', () => {
    expect(typesOf(surveyEvents(by, 'survey.restored', testSurvey, testSurvey))).toEqual([
      'survey.updated',
      'audit.survey.restored',
    ]);
  });
});
